//! Six outcomes of one wish, told to Kubernetes and to Terraform side by side: a container that ends at once or later,
//! one whose health is not known, bad or good, and an image tag that does not exist.

use super::{Both, Check, File, Scenario, Step};

const fn both(en: &'static str, ja: &'static str) -> Both {
    Both { en, ja }
}

const KUBECTL_APPLY: &str = "kubectl apply -f web.yaml";
const TERRAFORM_APPLY: &str = "terraform init && terraform apply -auto-approve";

/// The two applies that every scenario begins with; the text is the question to answer first.
const fn apply(text: Both) -> [Step; 2] {
    [
        Step {
            title: both("Predict, then apply both", "予想してから両方を適用"),
            text,
            command: KUBECTL_APPLY,
            check: Check::Entered("kubectl apply"),
        },
        Step {
            title: both("The same for Terraform", "Terraform でも同じことを"),
            text: both(
                "\"Apply both\" has done this already. Compare the two ⏎: after how long, and with which exit code?",
                "「両方を適用」なら、もう済んでいます。2 つの ⏎ を比べてください。何秒後に、どの終了コードで戻ったでしょうか。",
            ),
            command: TERRAFORM_APPLY,
            check: Check::Entered("terraform init"),
        },
    ]
}

const fn look(title: Both, text: Both, command: &'static str, check: Check) -> Step {
    Step { title, text, command, check }
}

/// A Deployment of one container: `$image`, then what follows in the container and in the spec.
macro_rules! manifest {
    ($image:literal, $spec:literal, $container:literal) => {
        concat!(
            "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\nspec:\n  replicas: 1\n",
            $spec,
            "  selector:\n    matchLabels:\n      app: web\n  template:\n    metadata:\n      labels:\n        app: web\n    spec:\n      containers:\n        - name: web\n          image: ",
            $image,
            "\n",
            $container,
        )
    };
}

macro_rules! configuration {
    ($image:literal, $rest:literal) => {
        concat!(
            "terraform {\n  required_providers {\n    docker = {\n      source = \"kreuzwerker/docker\"\n    }\n  }\n}\n\nresource \"docker_container\" \"web\" {\n  name    = \"web\"\n  image   = \"",
            $image,
            "\"\n",
            $rest,
            "}\n",
        )
    };
}

macro_rules! files {
    ($manifest:expr, $configuration:expr) => {
        &[File { path: "web.yaml", text: $manifest }, File { path: "main.tf", text: $configuration }]
    };
}

const PLAN: &str = "terraform plan";
const PODS: &str = "kubectl get pods";

pub static EXITS_AT_ONCE: Scenario = Scenario {
    id: "exits-at-once",
    title: both("Both: it exits at once", "両方: すぐに終了する"),
    summary: both(
        "The container ends with 1 as soon as it starts. Both applies succeed. Who finds out, and when?",
        "コンテナは起動してすぐ、コード 1 で終わります。apply はどちらも成功します。誰が、いつ気づくでしょうか。",
    ),
    files: files!(
        manifest!("busybox:1.36", "", "          command: [sh, -c, exit 1]\n"),
        configuration!("busybox:1.36", "  command = [\"sh\", \"-c\", \"exit 1\"]\n")
    ),
    steps: &{
        let [first, second] = apply(both(
            "Will either apply fail? Decide, then press \"Apply both\".",
            "どちらかの apply は失敗するでしょうか。決めてから「両方を適用」を押します。",
        ));
        [
            first,
            second,
            look(
                both("Kubernetes starts it again", "Kubernetes は起動し直す"),
                both(
                    "The kubelet compares all the time: it starts the container again, waits longer each time, and writes CrashLoopBackOff.",
                    "kubelet はずっと見比べています。間隔を延ばしながら起動し直し、CrashLoopBackOff と書きます。",
                ),
                PODS,
                Check::PodShows("web-", &["CrashLoopBackOff"]),
            ),
            look(
                both("Terraform learns of it when asked", "Terraform は聞かれて初めて知る"),
                both(
                    "Nobody has looked since the apply came back. plan reads the container and proposes must_run = false -> true.",
                    "apply が戻ってから誰も見ていません。plan がコンテナを読み、must_run = false -> true を提案します。",
                ),
                PLAN,
                Check::Entered(PLAN),
            ),
        ]
    },
};

pub static EXITS_LATER: Scenario = Scenario {
    id: "exits-later",
    title: both("Both: it exits after 8 seconds", "両方: 8 秒後に終了する"),
    summary: both(
        "Both applies come back while all is well. Eight seconds later it is not.",
        "apply が戻った時には、どちらも動いています。8 秒後には違います。",
    ),
    files: files!(
        manifest!("busybox:1.36", "", "          command: [sh, -c, sleep 8; exit 1]\n"),
        configuration!("busybox:1.36", "  command = [\"sh\", \"-c\", \"sleep 8; exit 1\"]\n")
    ),
    steps: &{
        let [first, second] = apply(both(
            "When will each side say that the container has ended?",
            "コンテナが終わったことを、それぞれはいつ教えてくれるでしょうか。",
        ));
        [
            first,
            second,
            look(
                both("Let ten seconds pass", "10 秒進める"),
                both(
                    "Kubernetes has started it again; the number of restarts is in the status. On the other side it stays Exited (1).",
                    "Kubernetes は起動し直していて、回数が status にあります。もう一方は Exited (1) のままです。",
                ),
                PODS,
                Check::PodShows("web-", &["Error", "CrashLoopBackOff"]),
            ),
            look(
                both("Ask Terraform", "Terraform に聞く"),
                both(
                    "The state still tells of the instant of the apply. Only the plan compares it with the world.",
                    "state が語るのは apply した時点のことです。世界と見比べるのは plan だけです。",
                ),
                PLAN,
                Check::Entered(PLAN),
            ),
        ]
    },
};

pub static NO_HEALTH_CHECK: Scenario = Scenario {
    id: "no-health-check",
    title: both("Both: to wait without a health check", "両方: ヘルスチェックなしで待つ"),
    summary: both(
        "Terraform is told to wait until the container is healthy, but nothing says what healthy means.",
        "Terraform に「healthy になるまで待て」と頼みますが、何をもって healthy とするかはどこにも書かれていません。",
    ),
    files: files!(
        manifest!("busybox:1.36", "", "          command: [sleep, \"3600\"]\n"),
        configuration!("busybox:1.36", "  command = [\"sleep\", \"3600\"]\n  wait    = true\n")
    ),
    steps: &{
        let [first, second] = apply(both(
            "The Deployment has no probe, the container no health check. What does each apply make of it?",
            "Deployment にはプローブがなく、コンテナにはヘルスチェックがありません。それぞれの apply はどうなるでしょうか。",
        ));
        [
            first,
            second,
            look(
                both("Running is enough", "動いていれば十分"),
                both(
                    "Without a readinessProbe a container counts as ready as soon as it runs.",
                    "readinessProbe がなければ、動いた時点で Ready と数えます。",
                ),
                "kubectl get deployment web",
                Check::Available("web"),
            ),
            look(
                both("An error, and a container that runs", "エラー、でもコンテナは動いている"),
                both(
                    "The apply failed, yet the container stays. A failed apply is no undo: look what docker has.",
                    "apply は失敗しましたが、コンテナは残っています。失敗しても元には戻りません。docker で確かめます。",
                ),
                "docker ps -a",
                Check::Entered("docker ps"),
            ),
        ]
    },
};

pub static NEVER_HEALTHY: Scenario = Scenario {
    id: "never-healthy",
    title: both("Both: it never becomes healthy", "両方: いつまでも healthy にならない"),
    summary: both(
        "The process runs, and its check always says no. One apply waits for the check, the other does not.",
        "プロセスは動いていますが、チェックはいつも「いいえ」です。一方の apply はチェックを待ち、もう一方は待ちません。",
    ),
    files: files!(
        manifest!(
            "busybox:1.36",
            "  progressDeadlineSeconds: 15\n",
            "          command: [sleep, \"3600\"]\n          readinessProbe:\n            exec:\n              command: [\"false\"]\n            periodSeconds: 2\n"
        ),
        configuration!(
            "busybox:1.36",
            "  command = [\"sleep\", \"3600\"]\n\n  wait         = true\n  wait_timeout = 15\n\n  healthcheck {\n    test     = [\"CMD\", \"false\"]\n    interval = \"1s\"\n    retries  = 2\n  }\n"
        )
    ),
    steps: &{
        let [first, second] = apply(both(
            "Both are given 15 seconds. Who tells you, in which place?",
            "どちらも期限は 15 秒です。誰が、どこで教えてくれるでしょうか。",
        ));
        [
            first,
            second,
            look(
                both("Kubernetes: in the status", "Kubernetes: status の中"),
                both(
                    "apply has long returned with 0. rollout status reads the condition that the controller writes after 15 seconds.",
                    "apply はとっくに 0 で戻っています。15 秒後にコントローラが書く condition を、rollout status が読みます。",
                ),
                "kubectl rollout status deployment/web",
                Check::Entered("kubectl rollout status"),
            ),
            look(
                both("Terraform: the apply itself", "Terraform: apply そのもの"),
                both(
                    "It came back with 1 after 15 seconds. The container is in the state as tainted: the next apply replaces it.",
                    "15 秒後に 1 で戻りました。コンテナは tainted として state に残り、次の apply で作り直されます。",
                ),
                PLAN,
                Check::Entered(PLAN),
            ),
        ]
    },
};

pub static HEALTHY: Scenario = Scenario {
    id: "healthy",
    title: both("Both: it becomes healthy", "両方: healthy になる"),
    summary: both(
        "Everything goes well on both sides. Still the two prompts come back at different moments.",
        "どちらもうまくいきます。それでもプロンプトが戻る瞬間は違います。",
    ),
    files: files!(
        manifest!(
            "busybox:1.36",
            "",
            "          command: [sleep, \"3600\"]\n          readinessProbe:\n            exec:\n              command: [\"true\"]\n            initialDelaySeconds: 2\n"
        ),
        configuration!(
            "busybox:1.36",
            "  command = [\"sleep\", \"3600\"]\n  wait    = true\n\n  healthcheck {\n    test     = [\"CMD\", \"true\"]\n    interval = \"2s\"\n  }\n"
        )
    ),
    steps: &{
        let [first, second] = apply(both(
            "Which prompt is back first, and is the container ready by then?",
            "先に戻るのはどちらのプロンプトでしょうか。その時、コンテナは準備できているでしょうか。",
        ));
        [
            first,
            second,
            look(
                both("Ask Kubernetes to wait", "Kubernetes に待ってもらう"),
                both(
                    "⏎ stands before ◉ on this side: waiting is a command of its own.",
                    "こちら側では ⏎ が ◉ より前にあります。待つのは別のコマンドの役目です。",
                ),
                "kubectl rollout status deployment/web",
                Check::Available("web"),
            ),
            look(
                both("Stop a container on both", "両方のコンテナを止める"),
                both(
                    "Press \"Kill one container on both\", watch for some seconds, then plan. Who repaired what?",
                    "「両方のコンテナを 1 つ止める」を押して数秒見てから plan します。誰が何を直したでしょうか。",
                ),
                PLAN,
                Check::Entered(PLAN),
            ),
        ]
    },
};

pub static NO_SUCH_TAG: Scenario = Scenario {
    id: "no-such-tag",
    title: both("Both: a tag that does not exist", "両方: 存在しないタグ"),
    summary: both(
        "The pull fails on both sides. For one it is part of the apply, for the other it comes after.",
        "どちらも pull に失敗します。一方では pull が apply の中にあり、もう一方では後にあります。",
    ),
    files: files!(
        manifest!("busybox:1.36-typo", "  progressDeadlineSeconds: 20\n", ""),
        configuration!("busybox:1.36-typo", "")
    ),
    steps: &{
        let [first, second] = apply(both(
            "The same typo twice. How does each command return?",
            "同じ打ち間違いが 2 つあります。それぞれのコマンドはどう戻るでしょうか。",
        ));
        [
            first,
            second,
            look(
                both("Created, and yet not there", "created なのに、ない"),
                both(
                    "The kubelet pulls after the apply. Its failure stands in the Pod, and after 20 seconds in the Deployment's status.",
                    "pull は apply の後で kubelet が行います。失敗は Pod に、20 秒後には Deployment の status にも現れます。",
                ),
                PODS,
                Check::PodShows("web-", &["ErrImagePull", "ImagePullBackOff"]),
            ),
            look(
                both("Nothing was made", "何も作られていない"),
                both(
                    "Terraform's provider pulls before it creates: the error is the apply's own, and the state stays empty.",
                    "Terraform の provider は作成の前に pull します。エラーは apply のもので、state は空のままです。",
                ),
                "terraform state list",
                Check::Entered("terraform state list"),
            ),
        ]
    },
};
