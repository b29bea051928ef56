terraform import terraform_data.a x
terraform import terraform_data.zz x
terraform import zz x
terraform import terraform_data.a x
terraform import module.x.terraform_data.a x
terraform import 'terraform_data.a[0]' x
terraform import data.terraform_data.a x
terraform import 'terraform_data.b[' x
terraform import -config=/nope terraform_data.a x
mkdir q; terraform import -config=q terraform_data.a x
terraform import -config=. terraform_data.q x
terraform import -config="$PWD" terraform_data.q x
terraform import terraform_data.q ''
terraform import '' ''
