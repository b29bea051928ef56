//! What the server only passes on: logs, exec and attach are answered by the kubelet of the pod's node.

use crate::base::SmolStr;

use crate::base::Time;
use crate::base::http::Request;

/// A call to a node's kubelet, checked against the pod.
#[derive(Clone, Debug, PartialEq)]
pub struct NodeCall {
    pub node: SmolStr,
    pub namespace: SmolStr,
    pub pod: SmolStr,
    pub uid: SmolStr,
    pub container: SmolStr,
    pub kind: NodeCallKind,
}

#[derive(Clone, Debug, PartialEq)]
pub enum NodeCallKind {
    Logs {
        follow: bool,
        previous: bool,
        /// Only the last lines.
        tail: Option<u64>,
        /// Only lines from this time on.
        since: Option<Time>,
        timestamps: bool,
        limit_bytes: Option<u64>,
    },
    Exec {
        command: Vec<String>,
        stdin: bool,
        tty: bool,
        stdout: bool,
        stderr: bool,
    },
    Attach {
        stdin: bool,
        tty: bool,
        stdout: bool,
        stderr: bool,
    },
    /// One connection to a port of the pod, and what is sent over it.
    PortForward {
        port: u16,
        request: Box<Request>,
    },
}
