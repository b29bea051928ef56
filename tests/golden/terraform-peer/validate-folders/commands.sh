terraform init
terraform providers lock
terraform providers lock terraform
terraform providers lock terraform.io/builtin/terraform
terraform providers lock hashicorp/foo
terraform providers lock a/b/c/d
terraform providers lock -platform=linux_amd64
terraform providers lock -platform=linux_amd64 -platform=q
terraform providers mirror x
terraform providers mirror
terraform providers
terraform validate d
terraform validate ./d
terraform validate d/
terraform validate d/x.tf
terraform validate e
terraform validate -json d
terraform validate $PWD/d
terraform validate .
terraform validate ..
terraform validate ./
mkdir f; terraform validate f
terraform test
terraform test -json
terraform test -verbose
terraform test -test-directory=foo
terraform logout
terraform logout foo.com
terraform query
terraform query -json
terraform query foo
terraform rpcapi
