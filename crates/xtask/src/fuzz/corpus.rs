//! What mutations start from: recorded manifests, requests and commands, and the scripts of tests/transcripts.

use std::collections::BTreeSet;
use std::path::Path;

use engine::base::{Value, json, yaml_emit};

use crate::run::root;

type Texts = Vec<Vec<u8>>;

/// Manifests, as YAML and as JSON.
pub fn manifests() -> Texts {
    let mut texts = Texts::new();
    for sent in sent() {
        texts.push(yaml_emit::emit(&sent).into_bytes());
        texts.push(json::compact(&sent).into_bytes());
    }
    let odd = "a: &x [1, 0x1F, 012, 1_000, ~, no, 1e3, 2024-01-02]\nb: *x\n<<: {c: !!str 1}\n? [k]\n: |2-\n   text\n--- \n# no\n...\n";
    texts.push(odd.into());
    texts
}

/// `METHOD PATH?QUERY TYPE`, then the body.
pub fn requests() -> Texts {
    let mut texts = Texts::new();
    for sent in sent() {
        let body = json::compact(&sent);
        let collection = collection(&sent);
        let name = sent.at(&["metadata", "name"]).str();
        texts.push(format!("POST {collection}?fieldManager=kubectl application/json\n{body}").into_bytes());
        texts.push(format!("PUT {collection}/{name} application/json\n{body}").into_bytes());
        texts.push(format!("PATCH {collection}/{name} application/strategic-merge-patch+json\n{body}").into_bytes());
        texts.push(
            format!("PATCH {collection}/{name}?fieldManager=a&force=true application/apply-patch+yaml\n{body}")
                .into_bytes(),
        );
        texts.push(format!("PATCH {collection}/{name}/status application/merge-patch+json\n{body}").into_bytes());
        texts.push(format!("DELETE {collection}/{name}?propagationPolicy=Foreground application/json\n").into_bytes());
        texts.push(format!("GET {collection}?labelSelector=app%3Dw&limit=2 application/json\n").into_bytes());
    }
    let more = [
        "GET /apis application/json\n",
        "GET /api/v1/pods?watch=true&resourceVersion=1&timeoutSeconds=5 application/json\n",
        "GET /api/v1/pods?fieldSelector=spec.nodeName!=a,status.phase=Running application/json\n",
        "PATCH /api/v1/nodes/kind-control-plane application/json-patch+json\n[{\"op\":\"add\",\"path\":\"/spec/taints/-\",\"value\":{\"key\":\"a\",\"effect\":\"NoExecute\"}},{\"op\":\"test\",\"path\":\"/metadata/name\",\"value\":\"a\"},{\"op\":\"move\",\"from\":\"/metadata/labels\",\"path\":\"/spec/x~1y\"}]",
        "PATCH /apis/apps/v1/namespaces/default/deployments/w/scale application/merge-patch+json\n{\"spec\":{\"replicas\":3}}",
        "POST /api/v1/namespaces/default/pods/w/eviction application/json\n{\"apiVersion\":\"policy/v1\",\"kind\":\"Eviction\",\"metadata\":{\"name\":\"w\"}}",
        "POST /api/v1/namespaces/default/pods/w/binding application/json\n{\"target\":{\"kind\":\"Node\",\"name\":\"kind-control-plane\"}}",
        "DELETE /api/v1/namespaces/default/pods application/json\n{\"propagationPolicy\":\"Orphan\",\"preconditions\":{\"uid\":\"x\"}}",
    ];
    texts.extend(more.iter().map(|text| text.as_bytes().to_vec()));
    texts
}

/// Commands of recordings and the scripts of tests/transcripts.
pub fn scripts() -> Texts {
    let mut texts = Texts::new();
    for file in crate::in_wasm::scripts().unwrap_or_default() {
        texts.extend(std::fs::read(file));
    }
    let mut commands = BTreeSet::new();
    for_lines(&root().join("tests/golden/kubernetes/transcripts"), &mut |line| {
        let command = line["cmd"].str();
        if !command.is_empty() && command.len() < 2_000 {
            commands.insert(command.to_string());
        }
    });
    texts.extend(commands.into_iter().map(String::into_bytes));
    let more = [
        "for i in 1 2 3; do echo $i | sed 's/\\([0-9]\\)/<\\1>/g' | awk '{print $1+1, NR}'; done; i=$((2**8 % 5)); echo ${i:-x} ${i#2}",
        "f() { local a=$1; case $a in x*|y) echo \"${a^^}\";; *) return 3;; esac; }; f xyz; f n || echo $?; set -euo pipefail; trap 'echo bye' EXIT",
        "a=(1 2 3); echo ${a[@]:1} ${#a[*]} {1..3}{a,b}; [[ abc =~ ^a(b)c$ ]] && echo ${BASH_REMATCH[1]}; printf '%-5s|%03d\\n' x 7; seq 3 | sort -rn | head -2 | tr 1 2 | cut -c1 | uniq -c | wc -l",
        "cat <<EOF > f; grep -n -E 'a|b+' f; while read -r x y; do echo \"$y\"; done < f; rm f\na b\nbb c\nEOF",
        "sleep 5 & wait $!; kubectl get pods -w & sleep 1; kill %1; timeout 2 kubectl get events -w; echo $? >&2; ls -la /; date +%s; xargs -n1 echo < /dev/null",
    ];
    texts.extend(more.iter().map(|text| text.as_bytes().to_vec()));
    texts
}

/// Terraform files, and expressions as the console reads them.
pub fn configurations() -> Texts {
    let folder = root().join("tests/golden/terraform-language");
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap_or_default();
    let files = read("files.txt");
    let files = files.split("==== text\n").filter_map(|case| case.split("==== answer").next());
    let console = read("console.txt");
    let lines = console.lines().filter_map(|line| line.strip_prefix("> "));
    let errors = read("errors.tf");
    files.chain(lines).chain(errors.split("\n\n")).map(|text| text.as_bytes().to_vec()).collect()
}

/// A value for `var.v` in the first line, a configuration in the others.
pub fn plans() -> Texts {
    let mut texts: Texts = PLANS.iter().map(|text| text.as_bytes().to_vec()).collect();
    let values = ["1", "[\"a\", 2]", "{ a = { b = null } }", "tosomething", "\"${1}\""];
    let files = configurations().into_iter().filter(|text| text.len() < 2_000 && text.contains(&b'{'));
    for (text, value) in files.zip(values.into_iter().cycle()) {
        texts.push([b"", value.as_bytes(), b"\n", &text].concat());
    }
    texts
}

const PLANS: [&str; 4] = [
    "2\nvariable \"v\" {\n  type = number\n  validation {\n    condition = var.v < 9\n    error_message = \"v is ${var.v}\"\n  }\n}\nresource \"terraform_data\" \"a\" {\n  count = var.v\n  input = { i = count.index, s = sensitive(\"x\") }\n  triggers_replace = [var.v]\n  lifecycle {\n    create_before_destroy = true\n    ignore_changes = [input]\n    postcondition {\n      condition = self.id != \"\"\n      error_message = \"no\"\n    }\n  }\n  provisioner \"local-exec\" {\n    command = \"echo ${self.id}\"\n  }\n}\noutput \"o\" {\n  value = terraform_data.a[*].output\n  sensitive = true\n}\n",
    "{ a = [1, 2], b = [] }\nvariable \"v\" {\n  type = map(list(number))\n  default = {}\n}\nlocals {\n  keys = toset([for k, l in var.v : k if length(l) > 0])\n}\nresource \"terraform_data\" \"b\" {\n  for_each = local.keys\n  input = var.v[each.key]\n  depends_on = [terraform_data.c]\n}\nresource \"terraform_data\" \"c\" {\n  input = timestamp()\n}\ncheck \"k\" {\n  assert {\n    condition = length(terraform_data.b) > 0\n    error_message = \"none\"\n  }\n}\nmoved {\n  from = terraform_data.d\n  to = terraform_data.c\n}\n",
    "web\nterraform {\n  required_providers {\n    docker = {\n      source = \"kreuzwerker/docker\"\n      version = \"~> 3.0\"\n    }\n  }\n}\nprovider \"docker\" {}\nvariable \"v\" {}\nresource \"docker_network\" \"n\" {\n  name = var.v\n}\nresource \"docker_image\" \"i\" {\n  name = \"nginx:1.29\"\n}\nresource \"docker_container\" \"w\" {\n  name = var.v\n  image = docker_image.i.image_id\n  dynamic \"ports\" {\n    for_each = { 80 = 8080 }\n    content {\n      internal = ports.key\n      external = ports.value\n    }\n  }\n  networks_advanced {\n    name = docker_network.n.name\n  }\n  labels {\n    label = \"a\"\n    value = \"b\"\n  }\n}\ndata \"docker_network\" \"d\" {\n  name = docker_network.n.name\n}\noutput \"o\" {\n  value = { n = data.docker_network.d.id, w = docker_container.w }\n}\n",
    "x\nvariable \"v\" {\n  type = any\n}\nmodule \"m\" {\n  source = \"./m\"\n  x = var.v\n}\nimport {\n  to = terraform_data.i\n  id = \"7\"\n}\nresource \"terraform_data\" \"i\" {\n  input = templatestring(var.v, { a = 1 })\n}\nremoved {\n  from = terraform_data.gone\n  lifecycle {\n    destroy = false\n  }\n}\n",
];

/// Templates and paths, one a text, after a word that says which.
pub fn templates() -> Texts {
    let mut texts: Texts = scripts_templates();
    let more = [
        "jsonpath {.spec.containers[*].image}{\"\\n\"}",
        "jsonpath {range .items[*]}{.metadata.name}{\"\\t\"}{.status.phase}{end}",
        "jsonpath {.spec.containers[?(@.name==\"c\")].ports[0:2:1].containerPort}",
        "jsonpath {..name}{.metadata.labels['app','x']}{.metadata.labels.a\\.b}{[-1]}{.items[-2:]}",
        "template {{range $i, $e := .items}}{{if and (eq $i 0) .a}}{{printf \"%s %d\" .b 3 | len}}{{else}}{{index .c \"d\"}}{{end}}{{end}}",
        "template {{define \"t\"}}{{.}}{{end}}{{template \"t\" .spec}}{{with .x}}{{.y | base64decode}}{{end}}{{- /* c */ -}}",
        "docker {{json .spec}} {{range $k, $v := .x}}{{$k}}={{join (split $v \",\") \"-\"}}{{else}}{{pad .b 1 2 | upper}}{{end}}",
        "docker table {{.b}}\t{{title .b}}{{truncate .b 3}}{{range .items}}{{range $.items}}{{end}}{{end}}{{len .items | printf \"%5d\"}}",
        "columns NAME:.metadata.name,IMAGE:.spec.containers[*].image,X:.a.b",
        "labels app in (a,b),!x,y notin (c),z!=1,n gt 3",
        "fields metadata.name!=a,status.phase=Running",
        "quantity 1.5Gi",
        "quantity 12e6",
        "duration 1h2m3.5s",
        "time 2026-01-05T09:00:00.123456Z",
        "regex ^(a|b*)+[[:alpha:]_-]{2,3}\\.x?$",
        "json {\"a\":[1,2.5e3,null,true,\"\\u00e9\\ud83d\\ude00\"]}",
    ];
    texts.extend(more.iter().map(|text| text.as_bytes().to_vec()));
    texts
}

fn scripts_templates() -> Texts {
    let mut found = BTreeSet::new();
    for text in scripts() {
        let text = String::from_utf8_lossy(&text).into_owned();
        for (flag, word) in [("jsonpath='", "jsonpath"), ("go-template='", "template"), ("custom-columns='", "columns")]
        {
            for rest in text.split(flag).skip(1) {
                found.insert(format!("{word} {}", rest.split('\'').next().unwrap_or_default()));
            }
        }
    }
    found.into_iter().map(String::into_bytes).collect()
}

/// Objects that recordings sent, one of each shape.
fn sent() -> Vec<Value> {
    let mut found = Vec::new();
    for file in ["valid-manifests.jsonl", "wrong-manifests.jsonl"] {
        let mut index = 0;
        for_lines(&root().join("tests/golden/kubernetes").join(file), &mut |line| {
            index += 1;
            if !line["sent"].is_null() && (file.starts_with("valid") || index % 9 == 0) {
                found.push(line["sent"].clone());
            }
        });
    }
    found
}

fn collection(object: &Value) -> String {
    let version = object["apiVersion"].str();
    let kind = object["kind"].str().to_lowercase();
    let plural = match kind.as_str() {
        kind if kind.ends_with("class") || kind.ends_with("ingress") => format!("{kind}es"),
        kind if kind.ends_with('y') => format!("{}ies", &kind[..kind.len() - 1]),
        kind => format!("{kind}s"),
    };
    let root = if version.contains('/') { format!("/apis/{version}") } else { format!("/api/{version}") };
    let cluster = [
        "node",
        "namespace",
        "persistentvolume",
        "clusterrole",
        "clusterrolebinding",
        "storageclass",
        "priorityclass",
        "ingressclass",
        "customresourcedefinition",
    ];
    match cluster.contains(&kind.as_str()) {
        true => format!("{root}/{plural}"),
        false => format!("{root}/namespaces/default/{plural}"),
    }
}

/// The JSON lines of a file, or of every file of a folder.
fn for_lines(path: &Path, take: &mut impl FnMut(&Value)) {
    if path.is_dir() {
        let mut files: Vec<_> = std::fs::read_dir(path).into_iter().flatten().flatten().map(|e| e.path()).collect();
        files.sort();
        files.retain(|file| file.extension().is_some_and(|ending| ending == "jsonl"));
        files.iter().for_each(|file| for_lines(file, take));
        return;
    }
    let text = std::fs::read_to_string(path).unwrap_or_default();
    for line in text.lines() {
        if let Ok(value) = json::parse(line) {
            take(&value);
        }
    }
}

/// Words of the corpus: what mutations put elsewhere.
pub fn words(corpus: &[Vec<u8>]) -> Vec<Vec<u8>> {
    let mut words = BTreeSet::new();
    for text in corpus {
        for word in text.split(|byte| !byte.is_ascii_alphanumeric() && !b"-_/.=".contains(byte)) {
            if (2..40).contains(&word.len()) && words.len() < 20_000 {
                words.insert(word.to_vec());
            }
        }
    }
    words.into_iter().collect()
}
