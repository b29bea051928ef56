//! Asking for one Pod: what was asked, what is true, and who wrote which.

use super::{Both, Check, File, Scenario, Step};

pub static SCENARIO: Scenario = Scenario {
    id: "first-pod",
    title: Both { en: "Asking for one Pod", ja: "Pod を 1 つ頼む" },
    summary: Both {
        en: "You hand in a wish, not a start command. See who picks it up, and when it has come true.",
        ja: "渡すのは起動コマンドではなく「こうしたい」という希望です。誰が引き受け、いつ本当になるのかを見ます。",
    },
    files: &[File { path: "web.yaml", text: MANIFEST }],
    steps: &[
        Step {
            title: Both { en: "Look around", ja: "まわりを見る" },
            text: Both {
                en: "The cluster has nodes, and none of your Pods. Ask the API server which nodes it knows.",
                ja: "クラスタにはノードがあり、あなたの Pod はまだありません。API サーバが知っているノードを聞いてみます。",
            },
            command: "kubectl get nodes",
            check: Check::Entered("kubectl get no"),
        },
        Step {
            title: Both { en: "Ask for a Pod", ja: "Pod を頼む" },
            text: Both {
                en: "web.yaml names an image and nothing about where to run it. Apply it and watch the time line: \
                     the prompt is back long before the container runs.",
                ja: "web.yaml にはイメージ名だけがあり、どこで動かすかは書いてありません。適用して、タイムラインを見てください。\
                     コンテナが動くよりずっと前にプロンプトが戻ります。",
            },
            command: "kubectl apply -f web.yaml",
            check: Check::Exists("pods", "web"),
        },
        Step {
            title: Both { en: "Wait until it is true", ja: "本当になるまで待つ" },
            text: Both {
                en: "Choose the Pod in the cluster. Each line carries the mark of its writer: the node was chosen by \
                     the scheduler (S), the status comes from the kubelet (L).",
                ja: "クラスタの図で Pod を選びます。行ごとに書き手の印があります。ノードを決めたのは scheduler (S)、\
                     status を書いたのは kubelet (L) です。",
            },
            command: "kubectl get pods -o wide",
            check: Check::PodReady("web"),
        },
        Step {
            title: Both { en: "Read the trail", ja: "経過を読む" },
            text: Both {
                en: "describe ends with the events: who did something for this Pod, in order.",
                ja: "describe の最後に Event が並びます。この Pod のために誰が何をしたか、順に読めます。",
            },
            command: "kubectl describe pod web",
            check: Check::Entered("kubectl describe po"),
        },
        Step {
            title: Both { en: "Take it back", ja: "取り下げる" },
            text: Both {
                en: "Delete the Pod. Nobody brings it back: no controller was asked to keep one.",
                ja: "Pod を削除します。保つように頼まれたコントローラがいないので、誰も作り直しません。",
            },
            command: "kubectl delete pod web",
            check: Check::Gone("pods", "web", "kubectl delete"),
        },
    ],
    closing: Both {
        en: "You handed in a wish. The API server wrote it down, the scheduler chose a node, and the kubelet started the \
             container, each on its own and after your prompt was back. Try next: apply web.yaml again, choose the Pod \
             while it starts, and ask \"Why?\" in the inspector.",
        ja: "あなたがしたのは、希望を渡すことだけです。API サーバが書き留め、scheduler がノードを決め、kubelet がコンテナを起動しました。\
             どれもプロンプトが戻った後のことです。次は web.yaml をもう一度適用し、起動中の Pod を選んで「なぜ？」を開いてみましょう。",
    },
};

const MANIFEST: &str = "\
apiVersion: v1
kind: Pod
metadata:
  name: web
  labels:
    app: web
spec:
  containers:
    - name: nginx
      image: nginx:1.29
      ports:
        - containerPort: 80
";
