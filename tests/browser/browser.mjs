// A headless Chromium for the tests of a file: `open` gives a page that remembers faults and requests to other places.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import assert from "node:assert/strict";
import { after, before } from "node:test";
import puppeteer from "puppeteer-core";

export const url = process.env.DRYDOCK_URL;

export const LONG = { timeout: +(process.env.DRYDOCK_WAIT ?? 90_000) };

let profile, chromium;
before(async () => {
  profile = mkdtempSync(join(tmpdir(), "drydock-"));
  chromium = await puppeteer.launch({
    protocolTimeout: 240_000,
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    headless: true,
    userDataDir: profile,
    args: [
      "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
      "--disable-component-update", "--disable-sync", "--disable-quic", "--disable-dev-shm-usage",
    ],
  });
});
after(async () => {
  await chromium?.close();
  rmSync(profile, { recursive: true, force: true });
});

export async function load(path = "", { width = 1440, height = 900, language = "en-US", theme = "light", draft = false, touch = false, without, hold, kept } = {}) {
  const page = await chromium.newPage();
  page.setDefaultTimeout(LONG.timeout);
  page.faults = [];
  page.foreign = [];
  page.on("pageerror", (error) => page.faults.push(String(error)));
  page.on("console", (message) => message.type() === "error" && page.faults.push(message.text()));
  page.on("request", (request) => {
    const target = request.url();
    if (!target.startsWith(url) && !/^(data|blob):/.test(target)) page.foreign.push(target);
  });
  if (without) {
    await page.setRequestInterception(true);
    page.on("request", (request) => (request.url().includes(without) ? request.abort() : request.continue()));
  }
  // Requests for these files wait until page.release().
  if (hold) {
    const waiting = new Promise((release) => (page.release = release));
    await page.setRequestInterception(true);
    page.on("request", async (request) => {
      if (request.url().includes(hold)) await waiting;
      await request.continue();
    });
  }
  await page.setViewport({ width, height, hasTouch: touch, isMobile: touch });
  await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: theme }]);
  await page.evaluateOnNewDocument((language) => {
    Object.defineProperty(navigator, "language", { get: () => language });
    Object.defineProperty(navigator, "languages", { get: () => [language] });
  }, language);
  if (!draft) {
    await page.evaluateOnNewDocument(() => {
      for (const key of Object.keys(localStorage)) if (key.includes(":files:")) localStorage.removeItem(key);
    });
  }
  // What the tab has kept of an earlier session.
  if (kept !== undefined) {
    await page.evaluateOnNewDocument((value) => {
      const folder = location.pathname.slice(0, location.pathname.lastIndexOf("/"));
      sessionStorage.setItem(`drydock:${folder}:session`, value);
    }, kept);
  }
  await page.goto(url + path, { waitUntil: "load" });
  return page;
}

// The page with its shell ready.
export async function open(path, options) {
  const page = await load(path, options);
  await page.waitForSelector("main.panes", LONG);
  await prompt(page);
  return page;
}

export const prompt = (page) =>
  page.waitForFunction(() => document.querySelector(".line .prompt")?.textContent.includes("#"), LONG);
export const text = (page, selector) => page.$eval(selector, (element) => element.innerText);
export const shows = (page, selector, words) =>
  page.waitForFunction((s, w) => document.querySelector(s)?.innerText.includes(w), LONG, selector, words);
export const click = (page, selector) => page.$eval(selector, (element) => element.click());

export async function enter(page, line) {
  await page.focus("#command-line");
  await page.keyboard.type(line);
  await page.keyboard.press("Enter");
}

// Enters a command and waits until it has returned.
export async function run(page, line) {
  const returned = () => page.$$eval(".story .is-returned", (all) => all.length);
  const before = await returned();
  await enter(page, line);
  await page.waitForFunction((n) => document.querySelectorAll(".story .is-returned").length > n, LONG, before);
  await prompt(page);
}

export async function chord(page, modifier, key) {
  await page.keyboard.down(modifier);
  await page.keyboard.press(key);
  await page.keyboard.up(modifier);
}

// Puts a text into the plain editor, as if typed.
export const write = (page, words) =>
  page.$eval("textarea.plain", (area, words) => {
    area.focus();
    area.value = words;
    area.dispatchEvent(new InputEvent("input", { bubbles: true }));
  }, words);

export async function close(page) {
  assert.deepEqual(page.faults, []);
  assert.deepEqual(page.foreign, []);
  await page.close();
}
