//! The arguments of the provider's resource types, data sources and of its own block, one line each.

use super::field::{
    Check, Field, Shape, field, flag, list_of, number, set_of, text, text_map, text_set, texts, timeouts,
};
use crate::terraform::schema::Nesting;

const ID: Field = text("id").computed();

const LIMITS: &[Field] = &[text("create"), text("delete"), text("update")];

const LABELS: &[Field] = &[text("label").required().forced(), text("value").required().forced()];

pub const PROVIDER: &[Field] = &[
    text("ca_material"),
    text("cert_material"),
    text("cert_path"),
    text("context"),
    flag("disable_docker_daemon_check"),
    text("host"),
    text("key_material"),
    texts("ssh_opts"),
    set_of(
        "registry_auth",
        &[
            text("address").required(),
            flag("auth_disabled"),
            text("config_file"),
            text("config_file_content"),
            text("password").sensitive(),
            text("username"),
        ],
    ),
];

const NETWORK_DATA: &[Field] = &[
    text("gateway"),
    text("global_ipv6_address"),
    number("global_ipv6_prefix_length"),
    text("ip_address"),
    number("ip_prefix_length"),
    text("ipv6_gateway"),
    text("mac_address"),
    text("network_name"),
];

const HEALTHCHECK: &[Field] = &[
    text("interval").or_text("0s").checked(Check::Duration),
    number("retries").or_number(0).checked(Check::AtLeast(0)),
    text("start_interval").or_text("0s").checked(Check::Duration),
    text("start_period").or_text("0s").checked(Check::Duration),
    texts("test").required(),
    text("timeout").or_text("0s").checked(Check::Duration),
];

const NETWORKS_ADVANCED: &[Field] = &[
    text_set("aliases").forced(),
    text_set("driver_opts").forced(),
    number("gw_priority").forced(),
    text("ipv4_address").forced(),
    text("ipv6_address").forced(),
    text_set("link_local_ips").forced(),
    text("mac_address").forced(),
    text("name").required().forced(),
];

const PORTS: &[Field] = &[
    number("external").computed().forced(),
    number("internal").required().forced(),
    text("ip").or_text("0.0.0.0").forced(),
    text("protocol").or_text("tcp").forced(),
];

const VOLUMES: &[Field] = &[
    text("container_path").forced(),
    text("from_container").forced(),
    text("host_path").forced().checked(Check::AbsolutePath),
    flag("read_only").forced(),
    text("selinux_relabel").forced().checked(Check::Words(&["z", "Z"])),
    text("volume_name").forced(),
];

const MOUNTS: &[Field] = &[
    list_of(
        "bind_options",
        &[text("propagation")
            .forced()
            .checked(Check::Words(&["private", "rprivate", "shared", "rshared", "slave", "rslave"]))],
    )
    .at_most(1)
    .forced(),
    flag("read_only").forced(),
    text("source").forced(),
    text("target").required().forced(),
    list_of("tmpfs_options", &[number("mode").forced(), number("size_bytes").forced()]).at_most(1).forced(),
    text("type").required().forced().checked(Check::Words(&["bind", "volume", "tmpfs"])),
    list_of(
        "volume_options",
        &[
            text("driver_name").forced(),
            text_map("driver_options").forced(),
            set_of("labels", LABELS).forced(),
            flag("no_copy").forced(),
            text("subpath").forced(),
        ],
    )
    .at_most(1)
    .forced(),
];

const UPLOAD: &[Field] = &[
    text("content").forced(),
    text("content_base64").forced().checked(Check::Base64),
    flag("executable").or_flag(false).forced(),
    text("file").required().forced(),
    text("permissions").forced().checked(Check::FileMode),
    text("source").forced(),
    text("source_hash").forced(),
];

const DEVICE_LIMIT: &[Field] = &[text("path").required(), number("rate").required()];

pub const CONTAINER: &[Field] = &[
    ID,
    flag("attach").or_flag(false),
    text("bridge").read_only(),
    set_of("capabilities", &[text_set("add").forced(), text_set("drop").forced()]).at_most(1).forced(),
    text("cgroup_parent").forced(),
    text("cgroupns_mode").forced(),
    texts("command").computed().forced(),
    text("container_logs").read_only(),
    number("container_read_refresh_timeout_milliseconds").or_number(15_000),
    number("cpu_period").checked(Check::AtLeast(0)),
    number("cpu_quota").checked(Check::AtLeast(0)),
    text("cpu_set"),
    number("cpu_shares").checked(Check::AtLeast(0)),
    text("cpus").forced(),
    number("destroy_grace_seconds").checked(Check::AtLeast(0)),
    set_of("device_read_bps", DEVICE_LIMIT),
    set_of("device_read_iops", DEVICE_LIMIT),
    set_of(
        "device_requests",
        &[
            texts("capabilities").forced(),
            number("count").forced(),
            texts("device_ids").forced(),
            text("driver").forced(),
            text_map("options").forced(),
        ],
    )
    .forced(),
    set_of("device_write_bps", DEVICE_LIMIT),
    set_of("device_write_iops", DEVICE_LIMIT),
    set_of(
        "devices",
        &[
            text("container_path").forced(),
            text("host_path").required().forced(),
            text("permissions").or_text("rwm").forced().checked(Check::Letters("rwm")),
        ],
    )
    .forced(),
    text_set("dns").forced(),
    text_set("dns_opts").forced(),
    text_set("dns_search").forced(),
    text("domainname").forced(),
    texts("entrypoint").computed().forced(),
    text_set("env").computed().forced(),
    number("exit_code").read_only(),
    text("gpus").forced(),
    text_set("group_add").forced(),
    list_of("healthcheck", HEALTHCHECK).computed().at_most(1),
    set_of("host", &[text("host").required().forced(), text("ip").required().forced()]).forced(),
    text("hostname").computed().forced(),
    text("image").required().forced(),
    flag("init").computed(),
    text("ipc_mode").computed().forced(),
    set_of("labels", LABELS).computed().forced(),
    text("log_driver").computed().forced(),
    text_map("log_opts").forced(),
    flag("logs").or_flag(false),
    number("max_retry_count"),
    number("memory").checked(Check::AtLeast(0)),
    number("memory_reservation").or_number(0).checked(Check::AtLeast(0)),
    number("memory_swap").checked(Check::AtLeast(-1)),
    set_of("mounts", MOUNTS).forced(),
    flag("must_run").or_flag(true),
    text("name").required().forced(),
    field("network_data", Shape::Objects(Nesting::List, NETWORK_DATA)).read_only(),
    text("network_mode").or_text("bridge").forced(),
    set_of("networks_advanced", NETWORKS_ADVANCED).forced(),
    text("pid_mode").forced(),
    text("platform").computed().forced(),
    list_of("ports", PORTS).forced(),
    flag("privileged").forced(),
    flag("publish_all_ports").forced(),
    flag("read_only").or_flag(false).forced(),
    flag("remove_volumes").or_flag(true),
    text("restart").or_text("no").checked(Check::Words(&["no", "on-failure", "always", "unless-stopped"])),
    flag("rm").or_flag(false),
    text("runtime").computed().forced(),
    text_set("security_opts").computed().forced(),
    number("shm_size").computed().forced().checked(Check::AtLeast(0)),
    flag("start").or_flag(true),
    flag("stdin_open").or_flag(false).forced(),
    text("stop_signal").computed().forced(),
    number("stop_timeout").computed().forced(),
    text_map("storage_opts").forced(),
    text_map("sysctls").forced(),
    timeouts(LIMITS),
    text_map("tmpfs"),
    flag("tty").or_flag(false).forced(),
    set_of(
        "ulimit",
        &[
            number("hard").required().forced().checked(Check::AtLeast(0)),
            text("name").required().forced(),
            number("soft").required().forced().checked(Check::AtLeast(0)),
        ],
    )
    .forced(),
    set_of("upload", UPLOAD).forced(),
    text("user").forced().lenient(),
    text("userns_mode").forced(),
    set_of("volumes", VOLUMES).forced(),
    flag("wait").or_flag(false),
    number("wait_timeout").or_number(60),
    text("working_dir").forced().lenient(),
];

const BUILD: &[Field] = &[
    text_map("build_args").forced(),
    text("builder").forced(),
    texts("cache_from").forced(),
    text("context").required().forced(),
    text("dockerfile").or_text("Dockerfile").forced(),
    flag("force_remove"),
    text_map("label"),
    text_map("labels").forced(),
    text("network_mode").forced(),
    flag("no_cache").forced(),
    text("platform").forced(),
    flag("pull_parent").forced(),
    flag("remove").or_flag(true),
    flag("suppress_output").forced(),
    texts("tag"),
    text("target").forced(),
];

pub const IMAGE: &[Field] = &[
    ID,
    set_of("build", BUILD).at_most(1),
    flag("force_remove"),
    text("image_id").read_only(),
    flag("keep_locally"),
    text("name").required().forced(),
    text("platform").forced(),
    text_set("pull_triggers").forced(),
    text("repo_digest").read_only(),
    timeouts(LIMITS),
    text_map("triggers").forced(),
];

const IPAM_CONFIG: &[Field] =
    &[text_map("aux_address").forced(), text("gateway").forced(), text("ip_range").forced(), text("subnet").forced()];

pub const NETWORK: &[Field] = &[
    ID,
    flag("attachable").forced(),
    text("driver").computed().forced(),
    flag("ingress").forced(),
    flag("internal").computed().forced(),
    set_of("ipam_config", IPAM_CONFIG).computed().forced(),
    text("ipam_driver").or_text("default").forced(),
    text_map("ipam_options").forced(),
    flag("ipv6").forced(),
    set_of("labels", LABELS).forced(),
    text("name").required().forced(),
    text_map("options").computed().forced(),
    text("scope").read_only(),
];

pub const VOLUME: &[Field] = &[
    ID,
    list_of(
        "cluster",
        &[
            text("availability").or_text("active").forced(),
            text("group").forced(),
            text("id").read_only(),
            text("limit_bytes").forced(),
            text("required_bytes").forced(),
            text("scope").or_text("single").forced(),
            text("sharing").or_text("none").forced(),
            text("topology_preferred").forced(),
            text("topology_required").forced(),
            text("type").or_text("block").forced(),
        ],
    )
    .at_most(1)
    .forced(),
    text("driver").computed().forced(),
    text_map("driver_opts").forced(),
    set_of("labels", LABELS).forced(),
    text("mountpoint").read_only(),
    text("name").computed().forced(),
];

pub const TAG: &[Field] = &[
    ID,
    text("source_image").required().forced(),
    text("source_image_id").read_only(),
    text_set("tag_triggers").forced(),
    text("target_image").required().forced(),
];

pub const REGISTRY_IMAGE: &[Field] = &[
    ID,
    list_of(
        "auth_config",
        &[text("address").required(), text("password").required().sensitive(), text("username").required()],
    )
    .at_most(1),
    set_of("build", BUILD).at_most(1),
    flag("insecure_skip_verify").or_flag(false),
    flag("keep_remotely").or_flag(false),
    text("name").required().forced(),
    text("sha256_digest").read_only(),
    timeouts(LIMITS),
    text_map("triggers").forced(),
];

pub const IMAGE_DATA: &[Field] = &[ID, text("name").required(), text("repo_digest").read_only()];

pub const NETWORK_DATA_SOURCE: &[Field] = &[
    ID,
    field(
        "containers",
        Shape::Objects(
            Nesting::Set,
            &[
                text("container_id"),
                text("endpoint_id"),
                text("ipv4_address"),
                text("ipv6_address"),
                text("mac_address"),
                text("name"),
            ],
        ),
    )
    .read_only(),
    text("driver").read_only(),
    flag("internal").read_only(),
    field("ipam_config", Shape::Objects(Nesting::Set, IPAM_CONFIG)).read_only(),
    text("name").required(),
    text_map("options").read_only(),
    text("scope").read_only(),
];

pub const REGISTRY_IMAGE_DATA: &[Field] =
    &[ID, flag("insecure_skip_verify").or_flag(false), text("name").required(), text("sha256_digest").read_only()];

pub const LOGS_DATA: &[Field] = &[
    ID,
    flag("details").or_flag(false),
    flag("discard_headers").or_flag(true),
    flag("follow").or_flag(false),
    texts("logs_list_string").read_only(),
    flag("logs_list_string_enabled").or_flag(true),
    text("name").required(),
    flag("show_stderr").or_flag(true),
    flag("show_stdout").or_flag(true),
    text("since").or_text(""),
    text("tail").or_text(""),
    flag("timestamps").or_flag(false),
    text("until").or_text(""),
];

pub const CONTAINERS_DATA: &[Field] = &[
    ID,
    field(
        "containers",
        Shape::Objects(
            Nesting::List,
            &[
                text("command"),
                number("created"),
                text("id"),
                text("image"),
                text("image_id"),
                text_map("labels"),
                texts("names"),
                text("state"),
                text("status"),
            ],
        ),
    )
    .read_only(),
];
