//! The machine room: API server, controllers, scheduler and kubelets on one agenda.
