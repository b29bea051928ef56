echo 'jsondecode("{1:2}")' | terraform console
echo 'jsondecode("{]")' | terraform console
echo 'jsondecode("{\"a\":1,b}")' | terraform console
echo 'jsondecode("{\"a\":1 \"b\":2}")' | terraform console
echo 'jsondecode("{true:1}")' | terraform console
echo 'jsondecode("{null}")' | terraform console
echo 'jsondecode("{[]}")' | terraform console
echo 'jsondecode("{,}")' | terraform console
echo 'jsondecode("{:}")' | terraform console
echo 'jsondecode("{-1:1}")' | terraform console
echo 'jsondecode("{\"a\":1,1:2}")' | terraform console
echo 'jsondecode("{\"a\":1,true:2}")' | terraform console
echo 'jsondecode("{\"a\":1,null:2}")' | terraform console
echo 'jsondecode("{\"a\":1,{}}")' | terraform console
echo 'jsondecode("[01]")' | terraform console
echo 'jsondecode("[1.]")' | terraform console
echo 'jsondecode("[1.x]")' | terraform console
echo 'jsondecode("[-]")' | terraform console
echo 'jsondecode("[-x]")' | terraform console
echo 'jsondecode("[1e]")' | terraform console
echo 'jsondecode("[1e+]")' | terraform console
echo 'jsondecode("1e+")' | terraform console
echo 'jsondecode("-01")' | terraform console
echo 'jsondecode("+1")' | terraform console
echo 'jsondecode(".5")' | terraform console
echo 'jsondecode("1.5.5")' | terraform console
echo 'jsondecode("0x1")' | terraform console
echo 'jsondecode("1a")' | terraform console
echo 'jsondecode("truetrue")' | terraform console
echo 'jsondecode("1 ,")' | terraform console
echo 'jsondecode("\"a\" \"b\"")' | terraform console
echo 'jsondecode("\"\\u12\"")' | terraform console
echo 'jsondecode("\"\\ud800\"")' | terraform console
echo 'jsondecode("{\"a\":tru}")' | terraform console
echo 'jsondecode("[nul]")' | terraform console
echo 'jsondecode("{\"a\":{\"b\":[1,{\"c\":x}]}}")' | terraform console
echo 'jsondecode("\"a\nb\"")' | terraform console
echo 'jsondecode("{\"a\":1,\"a\":2}")' | terraform console
echo 'jsondecode("[1,2,]")' | terraform console
echo 'jsondecode("[,1]")' | terraform console
echo 'jsondecode("{\"a\"}")' | terraform console
echo 'jsondecode("{\"a\":}")' | terraform console
echo "jsondecode(\"{'a':1}\")" | terraform console
echo 'jsondecode("NaN")' | terraform console
echo 'jsondecode("// x")' | terraform console
