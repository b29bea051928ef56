terraform fmt - < /dev/null
printf '' | terraform fmt -
printf '\n' | terraform fmt -
printf ' ' | terraform fmt -
printf '# x' | terraform fmt -
printf 'a' | terraform fmt -
printf 'a=1' | terraform fmt -
printf 'a=1' | terraform fmt -check -
printf 'a = 1' | terraform fmt -check -
printf 'a=1' | terraform fmt -diff -
printf 'a=1\n  b=2' | terraform fmt -diff -
printf 'a=1\n  b=2\n' | terraform fmt -diff -
printf 'a = 1\n  b=2' | terraform fmt -diff -
printf 'a=1\nb = 2\nc = 3\nd = 4\ne = 5\nf = 6' | terraform fmt -diff -
printf 'a=1' | terraform fmt -check -diff -
printf 'a=1' | terraform fmt -list=false -
printf 'a=1' | terraform fmt - -
printf 'a=1' > x.tf; terraform fmt -diff
printf 'a=1' > x.tf; terraform fmt -diff x.tf
printf 'a = 1' > x.tf; terraform fmt -diff x.tf
printf 'a=1' > x.txt; terraform fmt -diff x.txt
