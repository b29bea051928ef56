//! How the provider speaks with the Engine: the requests of the docker client, and how it words what went wrong.

use super::object::text;
use crate::base::Value as Json;
use crate::base::http::{Frame, Method, Request, Response, User};
use crate::process::rerun::{Heard, Io, Outcome, body};
use crate::runtime::Reference;
use crate::terraform::value::Value;

const SOCKET: &str = "unix:///var/run/docker.sock";
/// The version of the Engine's API that the provider speaks.
const API: &str = "1.51";

/// An answer, or the client's complaint.
pub type Answer<T> = Result<T, String>;

/// The Engine a provider block names.
pub struct Client {
    host: String,
}

impl Client {
    /// Finds out where the Engine is and whether it is there.
    pub fn open(io: &mut Io<'_, '_>, settings: &Value) -> Outcome<Answer<Client>> {
        let given = text(settings, "host");
        let host = match given.as_str() {
            "" => io.sys.env.get("DOCKER_HOST").cloned().filter(|host| !host.is_empty()),
            _ => Some(given),
        };
        let client = Client { host: host.unwrap_or_else(|| SOCKET.into()) };
        if super::object::flag(settings, "disable_docker_daemon_check") {
            return Ok(Ok(client));
        }
        Ok(match client.ask(io, Method::Get, "/_ping", &[], Json::Null)? {
            Ok(_) => Ok(client),
            Err(why) => Err(format!(
                "failed to create Docker client: Error pinging Docker server, please make sure that {} is reachable and has a  '_ping' endpoint. Error: {why}",
                client.host
            )),
        })
    }

    fn request(&self, method: Method, path: &str, query: &[(&'static str, &str)], body: Json) -> Request {
        let user = User { name: "".into(), groups: Vec::new() };
        let mut request = Request::new(&user, "docker", method, format!("/v{API}{path}"));
        request.host = "docker".into();
        for (key, value) in query {
            request = request.with_query(key, *value);
        }
        if body.is_null() { request } else { request.with_body(body) }
    }

    fn complaint(&self, response: &Response) -> String {
        if response.code == 0 {
            return self.down();
        }
        format!("Error response from daemon: {}", body(response)["message"].str().trim_end_matches(' '))
    }

    fn down(&self) -> String {
        format!("Cannot connect to the Docker daemon at {}. Is the docker daemon running?", self.host)
    }

    pub fn ask(
        &self,
        io: &mut Io<'_, '_>,
        method: Method,
        path: &str,
        query: &[(&'static str, &str)],
        given: Json,
    ) -> Outcome<Answer<Json>> {
        if self.host != SOCKET {
            return Ok(Err(self.down()));
        }
        let response = io.send(self.request(method, path, query, given))?;
        Ok(if response.ok() && response.code != 0 { Ok(body(&response)) } else { Err(self.complaint(&response)) })
    }

    /// Sends what is answered later.
    pub fn begin(&self, io: &mut Io<'_, '_>, method: Method, path: &str) -> usize {
        io.begin(self.request(method, path, &[], Json::Null))
    }

    pub fn finish(&self, io: &mut Io<'_, '_>, begun: usize) -> Outcome<Answer<Json>> {
        let response = io.finish(begun)?;
        Ok(if response.ok() && response.code != 0 { Ok(body(&response)) } else { Err(self.complaint(&response)) })
    }

    pub fn get(&self, io: &mut Io<'_, '_>, path: &str) -> Outcome<Answer<Json>> {
        self.ask(io, Method::Get, path, &[], Json::Null)
    }

    pub fn post(&self, io: &mut Io<'_, '_>, path: &str, given: Json) -> Outcome<Answer<Json>> {
        self.ask(io, Method::Post, path, &[], given)
    }

    /// The image of this name or id; pulled when it is not there.
    pub fn image(&self, io: &mut Io<'_, '_>, name: &str) -> Outcome<Answer<Json>> {
        if name.is_empty() {
            return Ok(Err("empty image name is not allowed".into()));
        }
        let path = format!("/images/{name}/json");
        if let Ok(found) = self.get(io, &path)? {
            return Ok(Ok(found));
        }
        if let Err(why) = self.pull(io, name)? {
            return Ok(Err(format!("unable to pull image {name}: error pulling image {name}: {why}")));
        }
        Ok(match self.get(io, &path)? {
            Ok(found) => Ok(found),
            Err(_) => Err(format!("unable to find or pull image {name}")),
        })
    }

    fn pull(&self, io: &mut Io<'_, '_>, name: &str) -> Outcome<Answer<()>> {
        let reference = match Reference::parse(name) {
            Ok(reference) => reference,
            Err(why) => return Ok(Err(why.to_string())),
        };
        let repository = reference.repository();
        let tag = if reference.tag.is_empty() { &reference.digest } else { &reference.tag };
        let familiar = repository.strip_prefix("docker.io/").unwrap_or(&repository);
        let familiar = familiar.strip_prefix("library/").unwrap_or(familiar);
        let query = [("fromImage", familiar), ("tag", tag.as_str())];
        let (call, response) = io.open(self.request(Method::Post, "/images/create", &query, Json::Null))?;
        if response.stream.is_none() {
            return Ok(Err(self.complaint(&response)));
        }
        while !matches!(io.hear(&[call], false, None)?, Heard::Frame(_, Frame::End)) {}
        Ok(Ok(()))
    }

    /// What a container has written.
    pub fn logs(&self, io: &mut Io<'_, '_>, id: &str, query: &[(&'static str, &str)]) -> Outcome<Answer<Vec<u8>>> {
        let path = format!("/containers/{id}/logs");
        let (call, response) = io.open(self.request(Method::Get, &path, query, Json::Null))?;
        if response.stream.is_none() {
            return Ok(if response.ok() { Ok(Vec::new()) } else { Err(self.complaint(&response)) });
        }
        let mut all = Vec::new();
        loop {
            match io.hear(&[call], false, None)? {
                Heard::Frame(_, Frame::Data(_, bytes)) => all.extend(bytes),
                Heard::Frame(_, Frame::End) => return Ok(Ok(all)),
                _ => {}
            }
        }
    }
}
