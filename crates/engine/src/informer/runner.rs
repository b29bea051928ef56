//! Runs a controller. The controller is one straight function from what it saw to the requests it wants, in order;
//! each request takes its time on the virtual clock. When the function asks for a request whose answer is not there
//! yet it stops, and is run again from the top with the answers so far, on the same inputs. So it reads like the Go
//! original, holds no half-done state, and a World can be cloned in the middle of a sync.

use super::{Caches, EventType, Queue, Recorder};
use crate::api::object;
use crate::api::resource::Client;
use crate::base::http::{Request, Response};
use crate::base::{BTreeMap, Span, Time, Value};
use crate::sim::Cx;
use crate::store::{Change, Key};
use crate::trace::{Seq, What};

pub trait Reconciler: Clone {
    /// Everything a sync of one object reads, taken at its start (clones of values are cheap).
    type Inputs: Clone;

    /// The keys whose sync a delivered change asks for; delays are added with the key.
    fn wakes(&mut self, see: &Caches, change: &Change, now: Time, add: &mut dyn FnMut(Key, Span));

    /// What the sync of `key` reads; `None` when there is nothing to do (the object is gone).
    fn inputs(&mut self, see: &Caches, key: &Key, now: Time) -> Option<Self::Inputs>;

    /// A sync made changes up to this revision and must not act on caches that are older (client-go's expectations).
    fn expect(&mut self, _key: &Key, _revision: u64) {}

    /// One sync. Must be a function of its arguments alone.
    fn reconcile(&self, inputs: &Self::Inputs, io: &mut Io<'_>) -> Result<(), Stop>;
}

/// Why a sync came to an end early.
#[derive(Clone, Debug, PartialEq)]
pub enum Stop {
    /// An answer is outstanding; the runner resumes the sync.
    Wait,
    /// Failed: comes back with the queue's rate limit.
    Retry(String),
}

#[derive(Clone, Debug, PartialEq)]
pub enum RunnerToken {
    /// Look at the queue.
    Work,
    /// The answer to a request of the running sync: which step, which request of its batch.
    Answer { sync: u64, step: u32, index: u32 },
}

#[derive(Clone)]
pub struct Runner<R: Reconciler> {
    pub reconciler: R,
    pub client: Client,
    pub recorder: Recorder,
    queue: Queue,
    /// How many syncs (of different objects) run side by side.
    workers: usize,
    /// The running syncs by number.
    jobs: BTreeMap<u64, Job<R::Inputs>>,
    syncs: u64,
    /// A wake for this instant is on its way.
    soon: bool,
}

#[derive(Clone)]
struct Job<I> {
    key: Key,
    inputs: I,
    cause: Seq,
    /// Answers of each step so far; the last step may be incomplete.
    steps: Vec<Vec<Option<Response>>>,
    /// Answers still outstanding.
    open: usize,
    /// Events and delayed wakes already taken over from earlier runs of this sync.
    events: usize,
    again: Option<Span>,
}

/// An event a sync recorded: on what, field path, type, reason, message.
type Noted = (Value, Option<String>, EventType, &'static str, String);

/// What a reconcile function asks for.
pub struct Io<'a> {
    pub client: &'a Client,
    now: Time,
    steps: &'a [Vec<Option<Response>>],
    step: usize,
    asked: Option<Vec<Request>>,
    events: Vec<Noted>,
    again: Option<Span>,
    expected: u64,
}

impl Io<'_> {
    /// The time of the latest answer (or of the start).
    pub fn now(&self) -> Time {
        self.now
    }

    /// Sends one request and goes on with its answer.
    pub fn send(&mut self, request: Request) -> Result<Response, Stop> {
        let mut answers = self.send_all(vec![request])?;
        answers.pop().ok_or(Stop::Wait)
    }

    /// Sends requests side by side (a slow-start batch) and goes on when all are answered, in their order.
    pub fn send_all(&mut self, requests: Vec<Request>) -> Result<Vec<Response>, Stop> {
        if requests.is_empty() {
            return Ok(Vec::new());
        }
        let step = self.step;
        self.step += 1;
        match self.steps.get(step) {
            Some(answers) => answers.iter().cloned().collect::<Option<Vec<_>>>().ok_or(Stop::Wait),
            None => {
                self.asked = Some(requests);
                Err(Stop::Wait)
            }
        }
    }

    /// Sends one request; an answer that is an error ends the sync with a retry.
    pub fn must(&mut self, request: Request) -> Result<Value, Stop> {
        let response = self.send(request)?;
        if response.ok() {
            Ok(response.value().clone())
        } else {
            Err(Stop::Retry(response.value()["message"].str().into()))
        }
    }

    /// Records an event on an object.
    pub fn event(&mut self, on: &Value, kind: EventType, reason: &'static str, message: impl Into<String>) {
        self.events.push((on.clone(), None, kind, reason, message.into()));
    }

    /// The next sync that counts children waits until the caches have seen this answer.
    pub fn expect(&mut self, answer: &Value) {
        self.expected = self.expected.max(object::resource_version(answer));
    }

    /// Syncs the same object again after a while (AddAfter).
    pub fn again_after(&mut self, span: Span) {
        self.again = Some(self.again.map_or(span, |planned| planned.min(span)));
    }
}

impl<R: Reconciler> Runner<R> {
    pub fn new(reconciler: R, workers: usize, client: Client, recorder: Recorder) -> Runner<R> {
        let (queue, jobs) = (Queue::default(), BTreeMap::new());
        Runner { reconciler, client, recorder, queue, workers, jobs, syncs: 0, soon: false }
    }

    /// A change was delivered. `wrap` makes the owner's token out of ours.
    pub fn observe<W>(
        &mut self,
        cx: &mut Cx<'_, W>,
        see: &Caches,
        change: &Change,
        wrap: impl Fn(RunnerToken) -> W + Copy,
    ) {
        let mut keys = Vec::new();
        self.reconciler.wakes(see, change, cx.now, &mut |key, delay| keys.push((key, delay)));
        for (key, delay) in keys {
            self.add_after(cx, see, key, delay, wrap);
        }
    }

    /// Asks for a sync of a key now or later.
    pub fn add_after<W>(
        &mut self,
        cx: &mut Cx<'_, W>,
        _see: &Caches,
        key: Key,
        delay: Span,
        wrap: impl Fn(RunnerToken) -> W + Copy,
    ) {
        if delay > Span::ZERO {
            if self.queue.add_at(key, cx.now + delay) {
                cx.wake_after(delay, wrap(RunnerToken::Work));
            }
        } else {
            self.queue.add(key);
            self.work_soon(cx, wrap);
        }
    }

    /// Starts work after everything else of this instant, so that changes delivered together share a sync.
    fn work_soon<W>(&mut self, cx: &mut Cx<'_, W>, wrap: impl Fn(RunnerToken) -> W + Copy) {
        if self.jobs.len() < self.workers && !self.soon && !self.queue.is_empty() {
            self.soon = true;
            cx.wake_after(Span::ZERO, wrap(RunnerToken::Work));
        }
    }

    pub fn wake<W>(&mut self, cx: &mut Cx<'_, W>, see: &Caches, wrap: impl Fn(RunnerToken) -> W + Copy) {
        self.soon = false;
        self.queue.release(cx.now);
        self.work(cx, see, wrap);
    }

    /// An answer came back under `RunnerToken::Answer`.
    pub fn reply<W>(
        &mut self,
        cx: &mut Cx<'_, W>,
        _see: &Caches,
        token: &RunnerToken,
        response: Response,
        wrap: impl Fn(RunnerToken) -> W + Copy,
    ) {
        let RunnerToken::Answer { sync, step, index } = token else { return };
        let Some(job) = self.jobs.get_mut(sync) else { return };
        let Some(slot) = job.steps.get_mut(*step as usize).and_then(|s| s.get_mut(*index as usize)) else { return };
        if slot.replace(response).is_none() {
            job.open = job.open.saturating_sub(1);
        }
        if job.open == 0 {
            self.advance(cx, *sync, wrap);
            self.work_soon(cx, wrap);
        }
    }

    /// Starts syncs while a worker is free.
    fn work<W>(&mut self, cx: &mut Cx<'_, W>, see: &Caches, wrap: impl Fn(RunnerToken) -> W + Copy) {
        while self.jobs.len() < self.workers {
            let Some(key) = self.queue.take() else { return };
            let Some(inputs) = self.reconciler.inputs(see, &key, cx.now) else {
                self.queue.forget(&key);
                self.queue.done(&key);
                continue;
            };
            self.syncs += 1;
            let object = crate::trace::ObjectRef {
                resource: key.resource.clone(),
                namespace: key.namespace.clone(),
                name: key.name.clone(),
                uid: see.get(&key).map(|it| it["metadata"]["uid"].smol()).unwrap_or_default(),
            };
            let cause = cx.record(What::Sync { object: object.into() });
            let job = Job { key, inputs, cause, steps: Vec::new(), open: 0, events: 0, again: None };
            self.jobs.insert(self.syncs, job);
            self.advance(cx, self.syncs, wrap);
        }
    }

    /// Runs the function with the answers so far.
    fn advance<W>(&mut self, cx: &mut Cx<'_, W>, sync: u64, wrap: impl Fn(RunnerToken) -> W + Copy) {
        let Some(job) = self.jobs.get_mut(&sync) else { return };
        let cause = std::mem::replace(&mut cx.cause, job.cause);
        let mut io = Io {
            client: &self.client,
            now: cx.now,
            steps: &job.steps,
            step: 0,
            asked: None,
            events: Vec::new(),
            again: None,
            expected: 0,
        };
        let result = self.reconciler.reconcile(&job.inputs, &mut io);
        let Io { asked, events, again, expected, .. } = io;
        for (on, path, kind, reason, message) in events.iter().skip(job.events) {
            self.recorder.event(cx, &self.client, on, path.as_deref(), *kind, reason, message);
        }
        job.events = events.len();
        job.again = again;
        match (result, asked) {
            (Err(Stop::Wait), Some(requests)) => {
                let step = job.steps.len() as u32;
                job.open = requests.len();
                job.steps.push(vec![None; requests.len()]);
                for (index, request) in requests.into_iter().enumerate() {
                    cx.call(request, Some(wrap(RunnerToken::Answer { sync, step, index: index as u32 })));
                }
            }
            (Err(Stop::Wait), None) => {}
            (result, _) => {
                let key = job.key.clone();
                let again = job.again;
                self.jobs.remove(&sync);
                if expected > 0 {
                    self.reconciler.expect(&key, expected);
                }
                self.queue.done(&key);
                let wait = match result {
                    Ok(()) => {
                        self.queue.forget(&key);
                        again
                    }
                    Err(_) => Some(self.queue.failed(&key)),
                };
                if let Some(wait) = wait
                    && self.queue.add_at(key, cx.now + wait)
                {
                    cx.wake_after(wait, wrap(RunnerToken::Work));
                }
            }
        }
        cx.cause = cause;
    }
}
