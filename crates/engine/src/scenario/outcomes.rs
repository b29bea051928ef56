//! Six outcomes of one wish, told to Kubernetes and to Terraform side by side: a container that ends at once or later,
//! one whose health is not known, bad or good, and an image tag that does not exist.

use super::{Both, Check, File, Scenario, Step};

const fn both(en: &'static str, ja: &'static str) -> Both {
    Both { en, ja }
}

/// The two applies that every scenario begins with; the text is the question to answer first.
const fn predict(text: Both) -> Step {
    Step {
        title: both("Predict, then apply both", "予想してから両方を適用"),
        text,
        command: "kubectl apply -f web.yaml",
        check: Check::Entered("kubectl apply"),
    }
}

const SAME: Step = Step {
    title: both("The same for Terraform", "Terraform でも同じことを"),
    text: both(
        "\"Apply both\" has done this already. Compare the two ⏎: after how long, and with which exit code?",
        "「両方を適用」なら、もう済んでいます。2 つの ⏎ を比べてください。何秒後に、どの終了コードで戻ったでしょうか。",
    ),
    command: "terraform init && terraform apply -auto-approve",
    check: Check::Entered("terraform init"),
};

const PLAN: &str = "terraform plan";
const PODS: &str = "kubectl get pods";

/// A scenario of what varies: `spec` and `container` stand in the Deployment, `configuration` in Terraform's container,
/// and both are of the same image. Every text is said in both languages; after the two applies come two looks.
macro_rules! outcome {
    (
        $name:ident, $id:literal;
        title: $title:literal, $title_ja:literal;
        summary: $summary:literal, $summary_ja:literal;
        image: $image:literal;
        spec: $spec:literal;
        container: $container:literal;
        configuration: $configuration:literal;
        question: $question:literal, $question_ja:literal;
        closing: $closing:literal, $closing_ja:literal;
        $(look: $look:literal, $look_ja:literal; $text:literal, $text_ja:literal; $command:expr => $check:expr;)+
    ) => {
        pub static $name: Scenario = Scenario {
            id: $id,
            title: both($title, $title_ja),
            summary: both($summary, $summary_ja),
            files: &[
                File {
                    path: "web.yaml",
                    text: concat!(
                        "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\nspec:\n  replicas: 1\n",
                        $spec,
                        "  selector:\n    matchLabels:\n      app: web\n  template:\n    metadata:\n      labels:\n",
                        "        app: web\n    spec:\n      containers:\n        - name: web\n          image: ",
                        $image,
                        "\n",
                        $container,
                    ),
                },
                File {
                    path: "main.tf",
                    text: concat!(
                        "terraform {\n  required_providers {\n    docker = {\n      source = \"kreuzwerker/docker\"\n",
                        "    }\n  }\n}\n\n",
                        "resource \"docker_container\" \"web\" {\n  name    = \"web\"\n  image   = \"",
                        $image,
                        "\"\n",
                        $configuration,
                        "}\n",
                    ),
                },
            ],
            steps: &[
                predict(both($question, $question_ja)),
                SAME,
                $(Step {
                    title: both($look, $look_ja),
                    text: both($text, $text_ja),
                    command: $command,
                    check: $check,
                },)+
            ],
            closing: both($closing, $closing_ja),
        };
    };
}

outcome! {
    EXITS_AT_ONCE, "exits-at-once";
    title: "Both: it exits at once", "両方: すぐに終了する";
    summary:
        "The container ends with 1 as soon as it starts. Both applies succeed. Who finds out, and when?",
        "コンテナは起動してすぐ、コード 1 で終わります。apply はどちらも成功します。誰が、いつ気づくでしょうか。";
    image: "busybox:1.36";
    spec: "";
    container: "          command: [sh, -c, exit 1]\n";
    configuration: "  command = [\"sh\", \"-c\", \"exit 1\"]\n";
    question:
        "Will either apply fail? Decide, then press \"Apply both\".",
        "どちらかの apply は失敗するでしょうか。決めてから「両方を適用」を押します。";
    closing:
        "Both applies told the truth: a container was started. Only one side kept looking afterwards. Try next: write \"sleep 3600\" instead of \"exit 1\" in both files and apply both. What does each side say it will change?",
        "apply はどちらも本当のことを言いました。コンテナは起動したのです。その後も見続けていたのは片方だけでした。次は両方のファイルの exit 1 を sleep 3600 に変えて、両方を適用してみましょう。何を変えると、それぞれ言うでしょうか。";
    look: "Kubernetes starts it again", "Kubernetes は起動し直す";
        "The kubelet compares all the time: it starts the container again, waits longer each time, and writes CrashLoopBackOff.",
        "kubelet はずっと見比べています。間隔を延ばしながら起動し直し、CrashLoopBackOff と書きます。";
        PODS => Check::PodShows("web-", &["CrashLoopBackOff"]);
    look: "Terraform learns of it when asked", "Terraform は聞かれて初めて知る";
        "Nobody has looked since the apply came back. plan reads the container and proposes must_run = false -> true.",
        "apply が戻ってから誰も見ていません。plan がコンテナを読み、must_run = false -> true を提案します。";
        PLAN => Check::Entered(PLAN);
}

outcome! {
    EXITS_LATER, "exits-later";
    title: "Both: it exits after 8 seconds", "両方: 8 秒後に終了する";
    summary:
        "Both applies come back while all is well. Eight seconds later it is not.",
        "apply が戻った時には、どちらも動いています。8 秒後には違います。";
    image: "busybox:1.36";
    spec: "";
    container: "          command: [sh, -c, sleep 8; exit 1]\n";
    configuration: "  command = [\"sh\", \"-c\", \"sleep 8; exit 1\"]\n";
    question:
        "When will each side say that the container has ended?",
        "コンテナが終わったことを、それぞれはいつ教えてくれるでしょうか。";
    closing:
        "An apply tells of one instant. Afterwards Kubernetes kept comparing and started the container again; Terraform's state kept saying what had been true once. Try next: docker ps -a, then apply both again.",
        "apply が語るのは一瞬のことです。その後も Kubernetes は見比べ続けて起動し直し、Terraform の state はかつての事実を保ったままでした。次は docker ps -a を見てから、もう一度両方を適用してみましょう。";
    look: "Let ten seconds pass", "10 秒進める";
        "Kubernetes has started it again; the number of restarts is in the status. On the other side it stays Exited (1).",
        "Kubernetes は起動し直していて、回数が status にあります。もう一方は Exited (1) のままです。";
        PODS => Check::PodShows("web-", &["Error", "CrashLoopBackOff"]);
    look: "Ask Terraform", "Terraform に聞く";
        "The state still tells of the instant of the apply. Only the plan compares it with the world.",
        "state が語るのは apply した時点のことです。世界と見比べるのは plan だけです。";
        PLAN => Check::Entered(PLAN);
}

outcome! {
    NO_HEALTH_CHECK, "no-health-check";
    title: "Both: to wait without a health check", "両方: ヘルスチェックなしで待つ";
    summary:
        "Terraform is told to wait until the container is healthy, but nothing says what healthy means.",
        "Terraform に「healthy になるまで待て」と頼みますが、何をもって healthy とするかはどこにも書かれていません。";
    image: "busybox:1.36";
    spec: "";
    container: "          command: [sleep, \"3600\"]\n";
    configuration: "  command = [\"sleep\", \"3600\"]\n  wait    = true\n";
    question:
        "The Deployment has no probe, the container no health check. What does each apply make of it?",
        "Deployment にはプローブがなく、コンテナにはヘルスチェックがありません。それぞれの apply はどうなるでしょうか。";
    closing:
        "Ready means what you declare it to mean. Without a probe, running is enough for Kubernetes; Terraform was to wait for a check that nobody had declared, and said so. Try next: a healthcheck block in main.tf, or a readinessProbe in web.yaml.",
        "何をもって Ready とするかは、あなたの宣言しだいです。プローブがなければ Kubernetes には「動いている」で十分です。Terraform は、誰も宣言していないチェックを待つように言われ、できないと答えました。次は main.tf に healthcheck を、または web.yaml に readinessProbe を書いてみましょう。";
    look: "Running is enough", "動いていれば十分";
        "Without a readinessProbe a container counts as ready as soon as it runs.",
        "readinessProbe がなければ、動いた時点で Ready と数えます。";
        "kubectl get deployment web" => Check::Available("web");
    look: "An error, and a container that runs", "エラー、でもコンテナは動いている";
        "The apply failed, yet the container stays. A failed apply is no undo: look what docker has.",
        "apply は失敗しましたが、コンテナは残っています。失敗しても元には戻りません。docker で確かめます。";
        "docker ps -a" => Check::Entered("docker ps");
}

outcome! {
    NEVER_HEALTHY, "never-healthy";
    title: "Both: it never becomes healthy", "両方: いつまでも healthy にならない";
    summary:
        "The process runs, and its check always says no. One apply waits for the check, the other does not.",
        "プロセスは動いていますが、チェックはいつも「いいえ」です。一方の apply はチェックを待ち、もう一方は待ちません。";
    image: "busybox:1.36";
    spec: "  progressDeadlineSeconds: 15\n";
    container: "          command: [sleep, \"3600\"]\n          readinessProbe:\n            exec:\n              command: [\"false\"]\n            periodSeconds: 2\n";
    configuration: "  command = [\"sleep\", \"3600\"]\n\n  wait         = true\n  wait_timeout = 15\n\n  healthcheck {\n    test     = [\"CMD\", \"false\"]\n    interval = \"1s\"\n    retries  = 2\n  }\n";
    question:
        "Both are given 15 seconds. Who tells you, in which place?",
        "どちらも期限は 15 秒です。誰が、どこで教えてくれるでしょうか。";
    closing:
        "One command waited and failed itself; the other had long returned, and the failure came later, as a condition. Waiting for Kubernetes is a command of its own: rollout status. Try next: let the checks succeed on both sides (true instead of false).",
        "一方のコマンドは待ったうえで自ら失敗しました。もう一方はとっくに戻っていて、失敗は後から condition として現れました。Kubernetes を待つのは rollout status という別のコマンドです。次は両方のチェックを成功させてみましょう（false を true に）。";
    look: "Kubernetes: in the status", "Kubernetes: status の中";
        "apply has long returned with 0. rollout status reads the condition that the controller writes after 15 seconds.",
        "apply はとっくに 0 で戻っています。15 秒後にコントローラが書く condition を、rollout status が読みます。";
        "kubectl rollout status deployment/web" => Check::Entered("kubectl rollout status");
    look: "Terraform: the apply itself", "Terraform: apply そのもの";
        "It came back with 1 after 15 seconds. The container is in the state as tainted: the next apply replaces it.",
        "15 秒後に 1 で戻りました。コンテナは tainted として state に残り、次の apply で作り直されます。";
        PLAN => Check::Entered(PLAN);
}

outcome! {
    HEALTHY, "healthy";
    title: "Both: it becomes healthy", "両方: healthy になる";
    summary:
        "Everything goes well on both sides. Still the two prompts come back at different moments.",
        "どちらもうまくいきます。それでもプロンプトが戻る瞬間は違います。";
    image: "busybox:1.36";
    spec: "";
    container: "          command: [sleep, \"3600\"]\n          readinessProbe:\n            exec:\n              command: [\"true\"]\n            initialDelaySeconds: 2\n";
    configuration: "  command = [\"sleep\", \"3600\"]\n  wait    = true\n\n  healthcheck {\n    test     = [\"CMD\", \"true\"]\n    interval = \"2s\"\n  }\n";
    question:
        "Which prompt is back first, and is the container ready by then?",
        "先に戻るのはどちらのプロンプトでしょうか。その時、コンテナは準備できているでしょうか。";
    closing:
        "Terraform came back after it was true, kubectl before. When a container was stopped, the kubelet put it right by itself; Terraform proposed to, once it was asked. Try next: terraform apply, and stop a container again.",
        "Terraform は本当になってから戻り、kubectl はその前に戻りました。止めたコンテナを kubelet はひとりでに直し、Terraform は聞かれて初めて提案しました。次は terraform apply をして、もう一度コンテナを止めてみましょう。";
    look: "Ask Kubernetes to wait", "Kubernetes に待ってもらう";
        "⏎ stands before ◉ on this side: waiting is a command of its own.",
        "こちら側では ⏎ が ◉ より前にあります。待つのは別のコマンドの役目です。";
        "kubectl rollout status deployment/web" => Check::Available("web");
    look: "Stop a container on both", "両方のコンテナを止める";
        "Press \"Kill one container on both\", watch for some seconds, then plan. Who repaired what?",
        "「両方のコンテナを 1 つ止める」を押して数秒見てから plan します。誰が何を直したでしょうか。";
        PLAN => Check::Entered(PLAN);
}

outcome! {
    NO_SUCH_TAG, "no-such-tag";
    title: "Both: a tag that does not exist", "両方: 存在しないタグ";
    summary:
        "The pull fails on both sides. For one it is part of the apply, for the other it comes after.",
        "どちらも pull に失敗します。一方では pull が apply の中にあり、もう一方では後にあります。";
    image: "busybox:1.36-typo";
    spec: "  progressDeadlineSeconds: 20\n";
    container: "";
    configuration: "";
    question:
        "The same typo twice. How does each command return?",
        "同じ打ち間違いが 2 つあります。それぞれのコマンドはどう戻るでしょうか。";
    closing:
        "For Terraform the pull is part of the apply: the typo is the apply's own error, and nothing is left. For Kubernetes it comes after: apply said created, and the failure stands in the status. Try next: mend the tag in both files and apply both.",
        "Terraform では pull が apply の一部です。打ち間違いは apply のエラーになり、何も残りません。Kubernetes では pull は後のことです。apply は created と答え、失敗は status にあります。次は両方のファイルのタグを直して、両方を適用してみましょう。";
    look: "Created, and yet not there", "created なのに、ない";
        "The kubelet pulls after the apply. Its failure stands in the Pod, and after 20 seconds in the Deployment's status.",
        "pull は apply の後で kubelet が行います。失敗は Pod に、20 秒後には Deployment の status にも現れます。";
        PODS => Check::PodShows("web-", &["ErrImagePull", "ImagePullBackOff"]);
    look: "Nothing was made", "何も作られていない";
        "Terraform's provider pulls before it creates: the error is the apply's own, and the state stays empty.",
        "Terraform の provider は作成の前に pull します。エラーは apply のもので、state は空のままです。";
        "terraform state list" => Check::Entered("terraform state list");
}
