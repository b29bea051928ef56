//! The kubelet: pod workers, probes, volumes, status.

use smol_str::SmolStr;

use crate::api::NodeCall;
use crate::base::http::{Frame, Response};
use crate::informer::Caches;
use crate::sim::Cx;
use crate::store::Change;

#[derive(Clone, Debug, PartialEq)]
pub enum Mail {
    Reply(Response),
    Frame(Frame),
}
#[derive(Clone, Debug, PartialEq)]
pub struct Token;
#[derive(Clone, Debug, PartialEq)]
pub struct NodeConfig {
    pub name: SmolStr,
    pub address: SmolStr,
    pub cpu: SmolStr,
    pub memory: SmolStr,
    pub storage: SmolStr,
    pub version: SmolStr,
    pub runtime: SmolStr,
    pub os_image: SmolStr,
    pub kernel: SmolStr,
    pub labels: Vec<(SmolStr, SmolStr)>,
    pub taints: Vec<(SmolStr, SmolStr)>,
    pub evicts: bool,
    pub resolve_image_text: &'static str,
    pub kwok: bool,
    pub images: Vec<SmolStr>,
}
impl Default for NodeConfig {
    fn default() -> NodeConfig {
        NodeConfig {
            name: "node-1".into(),
            address: "172.18.0.2".into(),
            cpu: "4".into(),
            memory: "8145440Ki".into(),
            storage: "103865303040".into(),
            version: "v1.37.2".into(),
            runtime: "containerd://2.3.7".into(),
            os_image: "Debian GNU/Linux 13 (trixie)".into(),
            kernel: "6.12.48".into(),
            labels: Vec::new(),
            taints: Vec::new(),
            evicts: true,
            resolve_image_text: "failed to resolve image",
            kwok: false,
            images: Vec::new(),
        }
    }
}
#[derive(Clone)]
pub struct Kubelets;
impl Kubelets {
    pub fn new(_: Vec<NodeConfig>) -> Kubelets {
        Kubelets
    }
    pub fn start(&mut self, _: &mut Cx<'_, Token>) {}
    pub fn wake(&mut self, _: &mut Cx<'_, Token>, _: &Caches, _: Token) {}
    pub fn reply(&mut self, _: &mut Cx<'_, Token>, _: &Caches, _: Token, _: Response) {}
    pub fn observe(&mut self, _: &mut Cx<'_, Token>, _: &Caches, _: &Change) {}
    pub fn call(&mut self, _: &mut Cx<'_, Token>, _: &Caches, _: u64, _: NodeCall) {}
    pub fn feed(&mut self, _: &mut Cx<'_, Token>, _: &Caches, _: u64, _: Frame) {}
    pub fn hang_up(&mut self, _: u64) {}
    pub fn take_mail(&mut self) -> Vec<(u64, Mail)> {
        Vec::new()
    }
}
