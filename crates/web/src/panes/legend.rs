//! How to read the time line and the story: every mark, every band and every colour.

use super::help::Row;

/// The signs are those of `story::glyph`.
pub const MARKS: [Row; 18] = [
    ("role-client", "›", "a command was entered", "コマンドを入力"),
    ("role-client", "⏎", "the prompt is back; red: with an error", "プロンプトが戻った（赤はエラー）"),
    ("is-converged", "◉", "everything is as this command declared", "このコマンドの宣言どおりになった"),
    ("", "●", "something was created", "作成"),
    ("", "○", "it was changed, or its status was written", "変更、または status の記入"),
    ("", "×", "it was removed, or asked to end", "削除、または終了の要求"),
    ("role-place", "⇢", "a node was chosen for a Pod", "Pod の行き先のノードを決定"),
    ("role-node", "■", "a container started", "コンテナが起動"),
    ("role-node", "□", "a container ended; red: with an error", "コンテナが終了（赤はエラー）"),
    ("role-node", "▭", "work that takes this long, such as pull", "その長さだけ続いた作業（pull など）"),
    ("", "◷", "an Event of the cluster; red: a Warning", "クラスタの Event（赤は Warning）"),
    ("", "▷", "somebody looked at an object", "オブジェクトを確認"),
    ("is-bad", "▲", "a status that tells of trouble", "問題を告げる status"),
    ("is-bad", "⊗", "the API server refused", "API サーバが拒否"),
    ("", "⚑", "a note, such as the state being written", "メモ（state の書き込みなど）"),
    ("", "+3", "so many more of the same kind at once", "同時に起きた同種の出来事の残りの数"),
    ("why-line", "┄", "what led to the chosen mark", "選んだ印に至った経緯"),
    ("now-line", "┆", "now; solid: the instant of the past that is shown", "現在（実線は表示中の過去の時点）"),
];

pub const BANDS: [Row; 3] = [
    ("band", "", "declared, and not yet true", "まだ宣言どおりではない"),
    ("band open", "", "the same, and still going on", "同じく、まだ続いている"),
    ("idle", "", "⋯ time in which nothing happened, drawn shorter", "⋯ 何も起きなかった時間（縮めて表示）"),
];

pub const ROLES: [Row; 6] = [
    ("role-client", "●", "you: kubectl, terraform", "あなた: kubectl、terraform"),
    ("role-api", "●", "the API server", "API サーバ"),
    ("role-store", "●", "what is remembered: terraform.tfstate", "記録: terraform.tfstate"),
    ("role-recon", "●", "controllers: they compare, and act on what differs", "コントローラ: 見比べて、違いを埋める"),
    ("role-place", "●", "the scheduler", "scheduler"),
    ("role-node", "●", "nodes: kubelets, dockerd, containers", "ノード: kubelet、dockerd、コンテナ"),
];
