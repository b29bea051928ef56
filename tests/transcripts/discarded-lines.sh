# What an expression breaks is its line, not the script.
x=$((1/0)); echo same line
echo next $?
if true; then y=$((1/0)); echo inner; fi
echo after $?
f() { echo $((2/0)); echo in f; }
f
echo end $?
(echo $((3/0)); echo sub); echo out $?
echo ${a.b}; echo same
echo bad $?
echo $((1 +)); echo same
echo syntax $?
for i in 1 2; do echo $i $((i/0)); done
echo loop $?
while read l; do echo $((l/0)); done <<< 5
echo while $?
