echo 'ceil(-0.5)' | terraform console
echo 'ceil(-0.5) == 0' | terraform console
echo '0 * -1 + 0' | terraform console
echo '-0 + -0' | terraform console
echo '-0 - 0' | terraform console
echo '0 - 0' | terraform console
echo '5 - 5' | terraform console
echo '-5 + 5' | terraform console
echo '-(5-5)' | terraform console
echo '0 % -3' | terraform console
echo '-0 % 3' | terraform console
echo '-6 % 3' | terraform console
echo '-0 / 5' | terraform console
echo '1 / -0' | terraform console
echo 'min(-0, 0)' | terraform console
echo 'max(-0, 0)' | terraform console
echo 'sum([-0])' | terraform console
echo 'sum([-0, -0])' | terraform console
echo 'signum(-0)' | terraform console
echo 'pow(-0, 1)' | terraform console
echo 'log(1, 10)' | terraform console
echo 'parseint("-0", 10)' | terraform console
echo 'format("%d", -0)' | terraform console
echo 'format("%x", -0)' | terraform console
echo 'format("%e", -0)' | terraform console
echo 'format("%g", -0)' | terraform console
echo 'format("%+d", -0)' | terraform console
echo 'distinct([0, -0])' | terraform console
echo 'contains([0], -0)' | terraform console
echo '{ (-0) = 1 }' | terraform console
echo '["a"][-0]' | terraform console
echo 'element(["a"], -0)' | terraform console
echo 'range(-0)' | terraform console
echo 'range(0, -3)' | terraform console
echo 'range(-2, 1)' | terraform console
echo 'yamlencode(-0)' | terraform console
echo 'tobool(-0)' | terraform console
echo '-0 ? 1 : 2' | terraform console
echo '-0 < 0' | terraform console
echo 'abs(0 * -1)' | terraform console
echo 'floor(0 * -1)' | terraform console
echo '-"5"' | terraform console
echo '-"0"' | terraform console
echo 'cidrhost("10.0.0.0/8", -0)' | terraform console
echo 'jsondecode("-0")' | terraform console
echo 'jsonencode(jsondecode("-0"))' | terraform console
echo 'yamldecode("-0")' | terraform console
echo 'tonumber("-0.0")' | terraform console
