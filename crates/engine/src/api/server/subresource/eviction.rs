//! eviction: a delete that asks the disruption budgets first.

use super::pod::set_condition;
use crate::api::apply::{self, Writer};
use crate::api::object;
use crate::api::schema::kind;
use crate::api::server::body::{self, Wanted};
use crate::api::server::delete::Options;
use crate::api::server::{Call, Result, Server};
use crate::api::status::{Status, cause};
use crate::base::http::Response;
use crate::base::{Span, Value};
use crate::map;
use crate::store::Key;

const BUDGETS: &str = "poddisruptionbudgets.policy";
/// More remembered disruptions than this are too many.
const DISRUPTED_LIMIT: usize = 2000;

impl Server {
    pub(super) fn evict(&mut self, call: &mut Call<'_, '_>) -> Result<Response> {
        let eviction = body::object(call, &Wanted::new("policy", "v1", "Eviction"))?;
        let name = eviction["metadata"]["name"].str();
        if !name.is_empty() && name != call.target.name {
            return Err(Status::bad_request("name in URL does not match name in Eviction object"));
        }
        let pod = self.object(call)?;
        let options = Options::of(&eviction["deleteOptions"])?;
        let free =
            matches!(pod["status"]["phase"].str(), "Succeeded" | "Failed" | "Pending") || object::is_deleting(&pod);
        if free {
            self.delete_object(call, call.key(), pod, &options)?;
            return Ok(Response::new(201, super::success(201)));
        }
        let labels = &pod["metadata"]["labels"];
        let budgets: Vec<(Key, Value)> = self
            .store
            .list(BUDGETS, Some(&call.target.namespace))
            .filter(|(_, budget)| object::matches(&budget["spec"]["selector"], labels))
            .map(|(key, budget)| (key.clone(), budget.clone()))
            .collect();
        let ready = object::condition_is(&pod, "Ready", "True");
        match budgets.as_slice() {
            [] => {}
            [(key, budget)] => {
                let status = &budget["status"];
                let healthy_enough = status["currentHealthy"].int() >= status["desiredHealthy"].int()
                    && status["desiredHealthy"].int() > 0;
                let always = budget["spec"]["unhealthyPodEvictionPolicy"].str() == "AlwaysAllow";
                if ready || !(always || healthy_enough) {
                    self.take_from_budget(call, key.clone(), budget.clone())?;
                }
            }
            _ => {
                return Err(Status::unexpected(
                    "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.",
                ));
            }
        }
        let mut marked = pod.clone();
        set_condition(
            &mut marked,
            "DisruptionTarget",
            map! {
                "type" => "DisruptionTarget", "status" => "True", "reason" => "EvictionByEvictionAPI",
                "message" => "Eviction API: evicting", "lastProbeTime" => Value::Null,
                "lastTransitionTime" => call.cx.now.rfc3339(),
            },
        );
        let pod = self.commit(call, "update", call.key(), pod, marked);
        self.delete_object(call, call.key(), pod, &options)?;
        Ok(Response::new(201, super::success(201)))
    }

    fn take_from_budget(&mut self, call: &mut Call<'_, '_>, key: Key, budget: Value) -> Result<()> {
        let name = object::name(&budget).to_owned();
        let status = &budget["status"];
        let refused = |message: &str, retry: i64, why: String| {
            Err(Status::too_many_requests(message, retry, vec![cause("DisruptionBudget", why, "")]))
        };
        const VIOLATES: &str = "Cannot evict pod as it would violate the pod's disruption budget.";
        if status["observedGeneration"].int() < budget["metadata"]["generation"].int() {
            let why = format!("The disruption budget {name} is still being processed by the server.");
            return refused(VIOLATES, 10, why);
        }
        let allowed = status["disruptionsAllowed"].int();
        if allowed <= 0 {
            let (desired, current) = (status["desiredHealthy"].int(), status["currentHealthy"].int());
            let failed = object::condition(&budget, "DisruptionAllowed")
                .filter(|condition| condition["reason"].str() == "SyncFailed");
            let why = match failed {
                _ if current <= desired => {
                    format!("The disruption budget {name} needs {desired} healthy pods and has {current} currently")
                }
                Some(failed) => format!(
                    "The disruption budget {name} does not allow evicting pods currently because it failed sync: {}",
                    failed["message"].str()
                ),
                None => format!("The disruption budget {name} does not allow evicting pods currently"),
            };
            return refused(VIOLATES, 0, why);
        }
        if status["disruptedPods"].entries().len() > DISRUPTED_LIMIT {
            let what = crate::api::status::Named::new("policy", "poddisruptionbudgets");
            let why = "DisruptedPods map too big - too many evictions not confirmed by PDB controller";
            return Err(Status::forbidden(&what, &name, why));
        }
        let mut new = budget.clone();
        new.set(&["status", "disruptionsAllowed"], allowed - 1);
        if allowed == 1 {
            let updated = object::condition(&new, "DisruptionAllowed").map(|condition| {
                let mut condition = condition.clone();
                condition.set(&["status"], "False");
                condition.set(&["reason"], "InsufficientPods");
                condition.set(&["lastTransitionTime"], call.cx.now.floor_second().rfc3339());
                condition
            });
            if let Some(condition) = updated {
                set_condition(&mut new, "DisruptionAllowed", condition);
            }
        }
        let at = (call.cx.now + Span::ZERO).rfc3339();
        let pod = call.target.name.clone();
        new.set(&["status", "disruptedPods", &pod], at);
        let writer =
            Writer { manager: "kube-apiserver", api_version: "policy/v1", subresource: "status", now: call.cx.now };
        let ty = kind("policy", "v1", "PodDisruptionBudget").map(|kind| kind.ty);
        apply::update_managed_fields(ty, Some(&budget), &mut new, &writer);
        self.commit(call, "update", key, budget, new);
        Ok(())
    }
}
