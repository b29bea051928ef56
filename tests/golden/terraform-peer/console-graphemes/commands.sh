echo 'length("e\u0301")' | terraform console
echo 'length("👨‍👩‍👧")' | terraform console
echo 'length("👨‍👩‍👧x🇩🇪🇫🇷")' | terraform console
echo 'length("🇩🇪🇫")' | terraform console
echo 'length("각")' | terraform console
echo 'length("\u1100\u1161\u11a8")' | terraform console
echo 'length("नि")' | terraform console
echo 'length("a\r\nb")' | terraform console
echo 'length("👍🏽")' | terraform console
echo 'length("กำ")' | terraform console
echo 'length("क्षि")' | terraform console
echo 'substr("e\u0301a", 0, 1)' | terraform console
echo 'substr("👨‍👩‍👧abc", 1, 2)' | terraform console
echo '"e\u0301" == "é"' | terraform console
echo 'strrev("e\u0301a")' | terraform console
echo 'strrev("x👨‍👩‍👧a")' | terraform console
echo 'format("%5s|", "e\u0301")' | terraform console
echo 'format("%-5s|", "👨‍👩‍👧")' | terraform console
echo 'format("%.1s|", "👨‍👩‍👧x")' | terraform console
echo 'format("%5q|", "é")' | terraform console
echo '"\u212b"' | terraform console
echo '"\u0958"' | terraform console
echo '"q\u0307\u0323"' | terraform console
echo 'jsonencode("e\u0301")' | terraform console
echo 'length(keys({"e\u0301" = 1, "é" = 2}))' | terraform console
echo 'length("ﬁ")' | terraform console
echo 'chunklist(split("", "e\u0301👍🏽"), 2)' | terraform console
echo 'urlencode("e\u0301")' | terraform console
echo 'base64encode("e\u0301")' | terraform console
echo 'length(base64decode("ZcyB"))' | terraform console
echo 'jsondecode("\"e\\u0301\"") == "é"' | terraform console
echo 'regex(".", "e\u0301")' | terraform console
echo 'replace("e\u0301x", "e", "y")' | terraform console
echo 'join("", ["e", "\u0301"]) == "é"' | terraform console
echo '"${"e"}${"\u0301"}" == "é"' | terraform console
echo 'indent(2, "e\u0301\nx")' | terraform console
echo 'strcontains("é", "e")' | terraform console
echo 'startswith("e\u0301", "e")' | terraform console
echo 'trimprefix("e\u0301", "e")' | terraform console
