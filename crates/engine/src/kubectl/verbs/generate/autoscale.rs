//! `kubectl autoscale`: a HorizontalPodAutoscaler.

use super::*;

pub fn autoscale(args: &Args, io: &mut Io<'_, '_>) -> Outcome {
    if !args.changed("max") {
        return fail("required flag(s) \"max\" not set");
    }
    let (least, most) = (args.int("min"), args.int("max"));
    if most < 1 {
        return fail(format!("--max=MAXPODS is required and must be at least 1, max: {most}"));
    }
    if most < least {
        return fail(format!("--max=MAXPODS must be larger or equal to --min=MINPODS, max: {most}, min: {least}"));
    }
    let percent = args.int("cpu-percent");
    if percent > 0 && !args.get("cpu").is_empty() {
        return fail("--cpu-percent and --cpu are mutually exclusive");
    }
    let mut metrics = Vec::new();
    if percent > 0 {
        let target = map! { "averageUtilization" => percent, "type" => "Utilization" };
        metrics.push(map! { "type" => "Resource", "resource" => map! { "name" => "cpu", "target" => target } });
    }
    for name in ["cpu", "memory"] {
        let text = args.get(name);
        if text.is_empty() {
            continue;
        }
        let target = target(name, text.trim())?;
        metrics.push(map! { "type" => "Resource", "resource" => map! { "name" => name, "target" => target } });
    }
    let dry_run = args.dry_run()?;
    let mapper = Mapper::discover(io)?;
    let (found, failures) = select::fetch(args, io, &mapper, Rules::default())?;
    select::finish(failures)?;
    for item in found {
        if !item.mapping.subresources.iter().any(|sub| sub == "scale") {
            return fail(format!(
                "cannot autoscale a {}: could not find scale subresource for {} in discovery information",
                item.mapping.kind,
                item.mapping.gvr()
            ));
        }
        let name = if args.get("name").is_empty() { item.name() } else { args.get("name") };
        let mut spec = map! { "maxReplicas" => most, "scaleTargetRef" => map! {
        "apiVersion" => item.mapping.api_version(), "kind" => item.mapping.kind.as_str(), "name" => item.name() } };
        if least > 0 {
            spec.set(&["minReplicas"], least);
        }
        if !metrics.is_empty() {
            spec.set(&["metrics"], metrics.clone());
        }
        let mut meta = map! { "name" => name };
        if io.namespace_forced {
            meta.set(&["namespace"], io.namespace.as_str());
        }
        let object = map! { "apiVersion" => "autoscaling/v2", "kind" => "HorizontalPodAutoscaler", "metadata" => meta,
        "spec" => spec, "status" => map! { "currentMetrics" => Value::Null, "desiredReplicas" => 0 } };
        let word = if dry_run == DryRun::Client { "created" } else { "autoscaled" };
        match create_and_say(args, io, &mapper, object, item.namespace(), dry_run, word) {
            // The older version is tried next, which cannot be without a percentage.
            Err(Stop::Fail(..)) if args.get("cpu").is_empty() && percent <= 0 => {
                return fail(
                    "failed to create autoscaling/v2 HPA and the configuration is incompatible with autoscaling/v1: \
                     empty input",
                );
            }
            other => other?,
        }
    }
    Ok(())
}

/// A percentage, a bare number in the resource's usual unit, or a quantity.
fn target(resource: &str, text: &str) -> Outcome<Value> {
    if let Some(percent) = text.strip_suffix('%') {
        return match percent.parse::<i32>() {
            Ok(number) if number >= 0 => Ok(map! { "averageUtilization" => number, "type" => "Utilization" }),
            _ => fail(format!("invalid percentage value: {percent}")),
        };
    }
    let unit = if resource == "cpu" { "m" } else { "Mi" };
    let amount = match crate::base::float::parse(text) {
        Some(number) => format!("{}{unit}", crate::base::json::float(number)),
        None => text.to_string(),
    };
    match crate::base::quantity::Quantity::parse(&amount) {
        Ok(amount) => Ok(map! { "averageValue" => amount.to_string(), "type" => "AverageValue" }),
        Err(_) => fail(format!("invalid resource {resource} value: {text}")),
    }
}
