output "a" { value = 1 + "x" }
output "b" { value = 1 + "2" }
output "c" { value = "a" > "b" }
output "d" { value = !1 }
output "e" { value = true && "x" }
output "f" { value = [1] + [2] }
output "g" { value = 1 / 0 }
output "h" { value = 1 == "1" }
output "i" { value = null + 1 }
output "j" { value = true ? 1 : "a" }
output "k" { value = true ? [1] : { a = 1 } }
output "l" { value = "x" ? 1 : 2 }
output "m" { value = null ? 1 : 2 }
output "n" { value = -"x" }
output "o" { value = 5 % 0 }
output "p" { value = [1, 2][5] }
output "q" { value = { a = 1 }.b }
output "r" { value = { a = 1 }["b"] }
output "s" { value = "abc"[0] }
output "t" { value = "abc".x }
output "u" { value = [1][true] }
output "v" { value = [1]["x"] }
output "w" { value = null.x }
output "x" { value = null[0] }
output "y" { value = [for x in 5 : x] }
output "z" { value = { for x in [1, 1] : x => x } }
output "aa" { value = { for x in [1] : null => x } }
output "ab" { value = [for x in null : x] }
output "ac" { value = [for x in [1] : x if x] }
output "ad" { value = [for x in [1] : x if "y"] }
output "ae" { value = { for x in [1] : [x] => x } }
output "af" { value = "${[1]}" }
output "ag" { value = "a${null}" }
output "ah" { value = "a${ {} }" }
