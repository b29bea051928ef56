//! A Deployment whose image tag does not exist: accepted at once, never true, repaired by declaring something else.

use super::{Both, Check, File, Scenario, Step};

pub static SCENARIO: Scenario = Scenario {
    id: "missing-tag",
    title: Both { en: "An image tag that does not exist", ja: "存在しないイメージタグ" },
    summary: Both {
        en: "The API server accepts a wish that cannot come true. Find out who notices, and where they say so.",
        ja: "かなわない希望でも API サーバは受け付けます。誰が気づき、どこにそれを書くのかを確かめます。",
    },
    files: &[File { path: "shop.yaml", text: MANIFEST }],
    steps: &[
        Step {
            title: Both { en: "Predict, then apply", ja: "予想してから適用する" },
            text: Both {
                en: "The tag 1.29-typo is not in the registry. Will apply fail? Decide first, then run it.",
                ja: "タグ 1.29-typo はレジストリにありません。apply は失敗するでしょうか。先に決めてから実行します。",
            },
            command: "kubectl apply -f shop.yaml",
            check: Check::Exists("deployments.apps", "shop"),
        },
        Step {
            title: Both { en: "Let time pass", ja: "時間を進める" },
            text: Both {
                en: "apply said created: the wish is stored. Go on to the next events until a Pod shows ErrImagePull \
                     or ImagePullBackOff.",
                ja: "apply は created と答えました。希望が記録されたという意味です。ErrImagePull や ImagePullBackOff が\
                     出るまで、次のイベントへ進めます。",
            },
            command: "kubectl get pods",
            check: Check::PodShows("shop-", &["ErrImagePull", "ImagePullBackOff"]),
        },
        Step {
            title: Both { en: "Find the reason", ja: "理由を探す" },
            text: Both {
                en: "The Deployment only knows that nothing is available. The kubelet that tried to pull knows why; \
                     it wrote so into the Pod's status and into events.",
                ja: "Deployment に分かるのは「使えるものがない」ことだけです。理由を知っているのは pull しようとした kubelet で、\
                     Pod の status と Event に書いています。",
            },
            command: "kubectl events --types=Warning",
            check: Check::Entered("kubectl events"),
        },
        Step {
            title: Both { en: "Declare something that can be true", ja: "かなう内容に直す" },
            text: Both {
                en: "Change the tag to 1.29 in the editor and apply again. generation becomes 2; watch the status \
                     follow it.",
                ja: "エディタでタグを 1.29 に直し、もう一度適用します。generation が 2 になり、status が追いかけます。",
            },
            command: "kubectl apply -f shop.yaml",
            check: Check::Available("shop"),
        },
        Step {
            title: Both { en: "Delete a Pod", ja: "Pod を消してみる" },
            text: Both {
                en: "This time somebody was asked to keep two: the ReplicaSet makes a new Pod at once.",
                ja: "今度は 2 つ保つように頼まれた人がいます。ReplicaSet がすぐに新しい Pod を作ります。",
            },
            command: "kubectl delete pod -l app=shop --wait=false",
            check: Check::Entered("kubectl delete po"),
        },
    ],
    closing: Both {
        en: "\"created\" means stored, not running. Whoever fails says so where they work: the kubelet in the Pod's status \
             and in events. A new declaration put it right, and a controller keeps what it was asked to keep. Try next: \
             set replicas to 5, or delete the ReplicaSet.",
        ja: "created は「記録した」という意味で、「動いている」ではありません。失敗は、それに出会った人が自分の持ち場に書きます。\
             ここでは kubelet が Pod の status と Event に書きました。宣言を直せば直り、保つように頼まれたコントローラは保ち続けます。\
             次は replicas を 5 にするか、ReplicaSet を消してみましょう。",
    },
};

const MANIFEST: &str = "\
apiVersion: apps/v1
kind: Deployment
metadata:
  name: shop
spec:
  replicas: 2
  selector:
    matchLabels:
      app: shop
  template:
    metadata:
      labels:
        app: shop
    spec:
      containers:
        - name: nginx
          image: nginx:1.29-typo
          ports:
            - containerPort: 80
";
