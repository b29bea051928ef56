//! What stands in the way of what was declared, in words.

use engine::lab::Obstacle;

use super::story::second;
use crate::i18n::Lang;
use crate::lab::view::kind_of;

/// Told one by one; the others are counted.
const MOST: usize = 2;

/// Names what is in the way, why, and when it is tried again; without obstacles, the command that is still open. Nothing
/// when there is neither.
pub fn words(lang: Lang, obstacles: &[Obstacle], open: Option<&str>) -> Option<String> {
    let mut all: Vec<String> = obstacles.iter().take(MOST).map(|it| one(lang, it)).collect();
    let more = obstacles.len().saturating_sub(MOST);
    if more > 0 {
        all.push(lang.pick(format!("And {more} more."), format!("ほかに {more} 件。")));
    }
    if all.is_empty() {
        all.extend(open.map(|line| lang.pick(format!("what “{line}” asks for."), format!("「{line}」の結果待ち。"))));
    }
    (!all.is_empty()).then(|| all.join(lang.pick(" ", "")))
}

fn one(lang: Lang, it: &Obstacle) -> String {
    let is_container = it.object.resource == "containers";
    let kind = if is_container { lang.pick("container", "コンテナ").into() } else { kind_of(&it.object.resource) };
    let mut facts = vec![it.word.clone()];
    facts.extend((!it.detail.is_empty()).then(|| it.detail.clone()));
    facts.extend(it.exit.map(|code| lang.pick(format!("exit code {code}"), format!("終了コード {code}"))));
    facts.extend((it.restarts > 0).then(|| match (lang, it.restarts) {
        (Lang::En, 1) => "restarted once".into(),
        (Lang::En, times) => format!("restarted {times} times"),
        (Lang::Ja, times) => format!("再起動 {times} 回"),
    }));
    let tool = if is_container { "docker" } else { "Kubernetes" };
    let next = it.next.map(|next| {
        let next = second(next);
        lang.pick(format!("; {tool} tries again at {next}"), format!("、{tool} の次の再試行は {next}"))
    });
    let (facts, next, name) = (facts.join(lang.pick(", ", "、")), next.unwrap_or_default(), &it.object.name);
    lang.pick(format!("{kind} {name} ({facts}){next}."), format!("{kind} {name}（{facts}）{next}。"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::base::Time;
    use engine::trace::ObjectRef;

    #[test]
    fn each_is_named_with_its_reason_and_its_next_try() {
        let obstacle = |resource: &str, word: &str, exit, restarts, detail: &str, next: Option<i64>| Obstacle {
            object: ObjectRef { resource: resource.into(), name: "web".into(), ..ObjectRef::default() },
            word: word.into(),
            exit,
            restarts,
            detail: detail.into(),
            next: next.map(Time),
        };
        let crash = obstacle("pods", "CrashLoopBackOff", Some(1), 5, "", Some(3_661_000_000));
        let image = obstacle("pods", "ImagePullBackOff", None, 0, "nginx:nope", Some(7_000_000));
        let lost = obstacle("pods", "Pending", None, 0, "0/1 nodes are available", None);
        let docker = obstacle("containers", "restarting", Some(4), 1, "", Some(0));
        for (all, open, english, japanese) in [
            (vec![], None, "", ""),
            (
                vec![],
                Some("kubectl delete ns a"),
                "what “kubectl delete ns a” asks for.",
                "「kubectl delete ns a」の結果待ち。",
            ),
            (
                vec![crash.clone()],
                Some("x"),
                "Pod web (CrashLoopBackOff, exit code 1, restarted 5 times); Kubernetes tries again at 01:01:01.",
                "Pod web（CrashLoopBackOff、終了コード 1、再起動 5 回）、Kubernetes の次の再試行は 01:01:01。",
            ),
            (
                vec![image, docker, lost, crash],
                None,
                "Pod web (ImagePullBackOff, nginx:nope); Kubernetes tries again at 00:00:07. container web (restarting, \
                 exit code 4, restarted once); docker tries again at 00:00:00. And 2 more.",
                "Pod web（ImagePullBackOff、nginx:nope）、Kubernetes の次の再試行は 00:00:07。コンテナ web（restarting、\
                 終了コード 4、再起動 1 回）、docker の次の再試行は 00:00:00。ほかに 2 件。",
            ),
        ] {
            assert_eq!(words(Lang::En, &all, open).unwrap_or_default(), english);
            assert_eq!(words(Lang::Ja, &all, open).unwrap_or_default(), japanese);
        }
    }
}
