//! Every text of the page in both languages. A text without a translation does not compile; names and output of
//! Kubernetes stay English.

use crate::browser;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Lang {
    #[default]
    En,
    Ja,
}

impl Lang {
    /// From a language tag as browsers give it.
    pub fn from_tag(tag: &str) -> Lang {
        if tag.to_ascii_lowercase().starts_with("ja") { Lang::Ja } else { Lang::En }
    }

    /// What the address says, else what was chosen before, else the browser's.
    pub fn preferred() -> Lang {
        let asked = browser::parameter("lang").filter(|lang| lang == "ja" || lang == "en");
        Lang::from_tag(&asked.or_else(|| browser::remembered("lang")).unwrap_or_else(browser::language))
    }

    pub fn tag(self) -> &'static str {
        match self {
            Lang::En => "en",
            Lang::Ja => "ja",
        }
    }

    pub fn other(self) -> Lang {
        match self {
            Lang::En => Lang::Ja,
            Lang::Ja => Lang::En,
        }
    }

    pub fn pick<T>(self, english: T, japanese: T) -> T {
        match self {
            Lang::En => english,
            Lang::Ja => japanese,
        }
    }
}

macro_rules! texts {
    ($($name:ident: $english:literal, $japanese:literal;)*) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Text { $($name),* }

        impl Lang {
            pub fn t(self, text: Text) -> &'static str {
                match text { $(Text::$name => self.pick($english, $japanese)),* }
            }
        }
    };
}

texts! {
    // Top bar and clock
    Scenario: "Scenario", "シナリオ";
    Restart: "Restart", "最初から";
    StartedOver: "This is a fresh start. What was there before is kept until your next command or edit.",
        "新しく始めました。前の状態は、次のコマンドか編集まで残っています。";
    Undo: "Undo", "元に戻す";
    Forked: "From here on, another way. What came after is kept until your next command or edit.",
        "ここから別の道に入りました。この先にあった状態は、次のコマンドか編集まで残っています。";
    PlayingAgain: "Bringing your cluster back: your commands are played again.",
        "クラスタを元の状態に戻しています。入力したコマンドを再生中です。";
    Restored: "Your cluster is back as you left it.", "クラスタを、前に離れたときの状態に戻しました。";
    StartAfresh: "Start afresh", "最初から始める";
    Offered: "The cluster you had in this tab is still kept.", "このタブで使っていたクラスタが残っています。";
    BringBack: "Bring it back", "元の状態に戻す";
    NotKept: "This has become too much to be brought back when the page is loaded again. Your files are kept all the same.",
        "操作が多くなったため、ページを再読み込みするとクラスタは元に戻せません。ファイルは残ります。";
    Clock: "Clock", "時計";
    Pause: "Pause", "一時停止";
    Play: "Play", "再生";
    Step: "One second on (+1s)", "1 秒進める（+1秒）";
    Second: "s", "秒";
    NextEvent: "Next event", "次のイベント";
    PreviousEvent: "Previous event", "前のイベント";
    ToConvergence: "To convergence", "収束まで";
    Stop: "Stop", "停止";
    Speed: "Speed", "速さ";
    SwitchLanguage: "日本語", "English";
    ThemeAuto: "Theme: system", "配色: 自動";
    ThemeLight: "Theme: light", "配色: 明るい";
    ThemeDark: "Theme: dark", "配色: 暗い";
    Running: "running", "進行中";
    Paused: "paused", "停止中";
    Seeking: "moving on", "早送り中";
    Settled: "settled", "収束済み";
    Past: "past", "過去";
    BackToNow: "Back to now", "現在に戻る";
    Fork: "Fork from here", "ここから分岐";
    Shortcuts: "Keyboard shortcuts", "キーボード操作";
    KeysEverywhere: "Everywhere", "どこでも";
    KeysClock: "In the clock and the timeline", "時計とタイムラインの中で";
    Legend: "How to read the time line", "タイムラインの読み方";
    LegendButton: "Legend", "凡例";
    LegendMarks: "Marks", "印";
    LegendBands: "Bands", "帯";
    LegendColours: "Colours tell who acts", "色は「誰が」を表す";
    NoStorage: "This browser does not let the page keep anything: your files last until it is closed.",
        "このブラウザではページが何も保存できません。ファイルはページを閉じるまでのものです。";
    SingleKeys: "Keys without Ctrl work", "Ctrl なしのキーを使う";
    // Short names for the tabs of narrow pages
    TabEditor: "Edit", "編集";
    TabTerminal: "Shell", "端末";
    TabInspector: "Inspect", "詳細";
    TabCompare: "Both", "比較";
    TabTimeline: "Time", "時間";
    // Panes
    Guide: "Guide", "ガイド";
    Editor: "Editor", "エディタ";
    Terminal: "Terminal", "ターミナル";
    Cluster: "Cluster", "クラスタ";
    Inspector: "Inspector", "インスペクタ";
    Story: "What happened", "起きたこと";
    Events: "Events", "Event";
    StoryTab: "Story", "経過";
    Timeline: "Timeline", "タイムライン";
    Panes: "Panes", "ペイン";
    GripColumns: "Width of the editor and the terminal", "エディタとターミナルの幅";
    GripRows: "Height of the editor", "エディタの高さ";
    // Guide
    TryThis: "Type it in", "入力する";
    Done: "done", "完了";
    Open: "to do", "未完了";
    AllDone: "All steps are done", "すべてのステップが完了しました";
    NextScenario: "Next", "次のシナリオ";
    // Editor
    Apply: "Apply", "適用";
    ApplyHint: "runs kubectl apply -f", "kubectl apply -f を実行します";
    NoProblems: "The YAML can be read", "YAML として読めます";
    NoProblemsTerraform: "Terraform can read it", "Terraform で読めます";
    FixFirst: "Fix the file first", "先にファイルを直してください";
    EmptyFile: "The file is empty", "ファイルが空です";
    PlainEditor: "The code editor could not be loaded; this is a plain text box.",
        "コードエディタを読み込めなかったので、簡易入力欄を使っています。";
    EditorLabel: "Manifest", "マニフェスト";
    PromptBusy: "A command is running in the terminal", "ターミナルでコマンドを実行中です";
    OnlyReading: "You are looking at the past: go back to now, or fork from here",
        "過去を表示中です。現在に戻るか、ここから分岐してください";
    Files: "Files", "ファイル";
    NewFile: "New file or file of the workstation", "新しいファイル、またはワークステーションのファイル";
    FileName: "File name", "ファイル名";
    OpenFile: "Open", "開く";
    CloseFile: "Close file", "ファイルを閉じる";
    RenameFile: "Rename or delete", "名前の変更・削除";
    Rename: "Rename", "変更";
    Delete: "Delete", "削除";
    NameTaken: "There is a file of this name already.", "同じ名前のファイルがあります。";
    NoFile: "No file is open. Open one with +.", "開いているファイルはありません。＋ で開きます。";
    // Terminal
    CommandLine: "Command line", "コマンド入力";
    Keys: "Keys", "キー";
    Copy: "Copy", "コピー";
    Copied: "Copied", "コピー済み";
    Clear: "Clear", "消去";
    Interrupt: "Ctrl+C", "Ctrl+C";
    TerminalEmpty: "Type a command and press Enter, for example", "コマンドを入力して Enter を押します。例:";
    TerminalCut: "Earlier output was dropped.", "古い出力は省きました。";
    // Cluster
    NoPods: "No Pods in your namespaces yet. Apply a manifest to ask for one.",
        "まだ Pod はありません。マニフェストを適用して頼みましょう。";
    Unscheduled: "Not yet on a node", "ノード未定";
    ShowSystem: "Show system Pods", "システムの Pod も表示";
    Control: "control plane", "control plane";
    NodeEmpty: "no Pods of yours here", "あなたの Pod はなし";
    Wanted: "wanted", "宣言";
    Made: "made", "作成済み";
    InUse: "ready", "Ready";
    Workloads: "Workloads", "ワークロード";
    Ready: "Ready", "Ready";
    NotReady: "NotReady", "NotReady";
    // Beside the cluster
    Sights: "What is shown", "表示内容";
    Objects: "Objects", "オブジェクト";
    Object: "Object", "オブジェクト";
    NoObjects: "No objects of yours yet. What you apply, and what comes of it, is listed here.",
        "まだオブジェクトはありません。適用したものと、そこから生まれたものがここに並びます。";
    Plan: "Plan", "変更";
    NoPlan: "See what an apply would change, before it does: with terraform plan or kubectl diff.",
        "適用する前に、何が変わるかを確かめられます。terraform plan か kubectl diff を実行してみましょう。";
    NoDifference: "No difference: the cluster is as the files say.", "差分はありません。クラスタはファイルのとおりです。";
    // Inspector
    PickSomething: "Choose a node, a workload or a Pod to see what is wanted and what has been seen.",
        "ノードやワークロード、Pod を選ぶと、宣言と観測を並べて見られます。";
    Gone: "This object no longer exists.", "このオブジェクトはもうありません。";
    GoneSince: "It no longer exists. This is how it was last, until", "もうありません。下は最後の状態です。なくなった時刻:";
    NotYetThere: "It did not exist yet.", "この時点ではまだありません。";
    Spec: "spec — wanted", "spec（宣言した状態）";
    Status: "status — seen", "status（観測された状態）";
    Metadata: "metadata", "metadata";
    NothingWanted: "nothing is declared here", "宣言はありません";
    NothingSeen: "nobody has written a status yet", "まだ誰も status を書いていません";
    Owners: "Who wrote it", "書き手";
    Defaulted: "filled in by the API server", "API サーバが既定値で補ったもの";
    Close: "Close", "閉じる";
    OwnedBy: "Made by", "作ったのは";
    TabFields: "Fields", "フィールド";
    TabYaml: "YAML", "YAML";
    TabEvents: "Events", "Event";
    Why: "Why?", "なぜ？";
    WhyObject: "Why it is as it is: the last change first, back to the command", "なぜこうなったか。最後の変化から、元のコマンドまで";
    WhyCondition: "Why this condition has its status", "なぜこの condition になったか";
    WhyEntry: "Why this happened", "なぜこれが起きたか";
    WhyUnknown: "The trace no longer reaches back to the cause.", "原因は記録に残っていません。";
    WhySetup: "It was so before your first command.", "最初のコマンドより前からこうでした。";
    PickEvent: "Choose something that happened, or an object, to see what led to it.",
        "出来事かオブジェクトを選ぶと、そこに至った経緯が見られます。";
    // Story
    NothingHappened: "Nothing has happened yet. Run a command and watch who reacts.",
        "まだ何も起きていません。コマンドを実行して、誰が反応するか見てみましょう。";
    KubeEvents: "Events of the cluster", "クラスタの Event";
    NoEvents: "No events in your namespaces.", "Event はまだありません。";
    // Timeline
    NoTimeline: "The lanes fill once something happens.", "何か起きるとレーンに現れます。";
    LanesButton: "Lanes", "レーン";
    Lanes: "Lanes of the time line", "タイムラインのレーン";
    LaneShown: "in its place", "いつもの場所";
    LaneOnTop: "on top", "一番上";
    LaneHidden: "hidden", "表示しない";
    Returned: "returned", "戻った";
    Converged: "converged", "収束した";
    NotYet: "declared, not yet true", "まだ宣言どおりではない";
    Scrubber: "Instant shown", "表示する時点";
    HistoryCut: "Earlier history has been dropped.", "これより前の記録は残っていません。";
    // Terraform
    SideBySide: "Side by side", "並べて見る";
    ApplyBoth: "Apply both", "両方を適用";
    KillBoth: "Kill one container on both", "両方のコンテナを 1 つ止める";
    CountSpec: "spec", "spec";
    CountMade: "made", "作成済み";
    CountReady: "ready", "Ready";
    CountConfig: "main.tf", "main.tf";
    CountState: "state", "state";
    CountRunning: "running", "実行中";
    NotApplied: "Not applied yet.", "まだ適用していません。";
    ApplyRuns: "apply is at work", "apply を実行中です";
    NotNoticed: "killed; not noticed yet", "止められました。まだ誰も気づいていません";
    BackToCluster: "Show the cluster alone", "クラスタだけを表示";
    NoPodYet: "No Pods yet.", "Pod はまだありません。";
    NoContainerYet: "No containers yet.", "コンテナはまだありません。";
    NobodyCompares: "nobody compares", "誰も見比べない";
    ApplyTerraformHint: "terraform apply in the home directory", "ホームディレクトリで terraform apply";
    WorldComing: "The cluster is on its way…", "クラスタを読み込んでいます…";
    ProgramComing: "Fetching the program, once. The clock stands meanwhile.", "プログラムを読み込んでいます（初回のみ）。その間、時計は止まります。";
    TerraformComing: "Fetching Terraform, once. The clock stands meanwhile.", "Terraform を読み込んでいます（初回のみ）。その間、時計は止まります。";
    // States
    GaveUp: "Not everything is as declared, even 10 minutes later.", "10分進めても、まだ宣言どおりではありません。";
    InTheWay: "In the way:", "妨げているもの:";
    NothingToConverge: "Nothing is left to converge.", "収束を待つものはありません。";
}

/// A span in words: `850 ms`, `4.2 s`, `3 min 5 s`.
pub fn span(lang: Lang, micros: i64) -> String {
    let millis = micros.max(0) / 1000;
    let (seconds, minutes, hours, days) = (millis / 1000, millis / 60_000, millis / 3_600_000, millis / 86_400_000);
    match lang {
        _ if millis < 1000 => lang.pick(format!("{millis} ms"), format!("{millis} ミリ秒")),
        _ if minutes < 1 => {
            let tenth = millis % 1000 / 100;
            lang.pick(format!("{seconds}.{tenth} s"), format!("{seconds}.{tenth} 秒"))
        }
        Lang::En if hours < 1 => format!("{minutes} min {} s", seconds % 60),
        Lang::Ja if hours < 1 => format!("{minutes}分{}秒", seconds % 60),
        Lang::En if days < 1 => format!("{hours} h {} min", minutes % 60),
        Lang::Ja if days < 1 => format!("{hours}時間{}分", minutes % 60),
        Lang::En => format!("{days} d {} h", hours % 24),
        Lang::Ja => format!("{days}日{}時間", hours % 24),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_have_two_parts_at_most() {
        for (millis, english, japanese) in [
            (-5, "0 ms", "0 ミリ秒"),
            (850, "850 ms", "850 ミリ秒"),
            (4_290, "4.2 s", "4.2 秒"),
            (59_999, "59.9 s", "59.9 秒"),
            (603_000, "10 min 3 s", "10分3秒"),
            (3_600_000, "1 h 0 min", "1時間0分"),
            (86_399_000, "23 h 59 min", "23時間59分"),
            (97_200_000, "1 d 3 h", "1日3時間"),
        ] {
            assert_eq!(span(Lang::En, millis * 1000), english);
            assert_eq!(span(Lang::Ja, millis * 1000), japanese);
        }
    }
}
