// A headless Chromium for the tests: `open` gives a page that remembers faults and requests to other places.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import puppeteer from "puppeteer-core";

export const url = process.env.DRYDOCK_URL;

export async function start() {
  const profile = mkdtempSync(join(tmpdir(), "drydock-"));
  const chromium = await puppeteer.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    headless: true,
    userDataDir: profile,
    args: [
      "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
      "--disable-component-update", "--disable-sync", "--disable-quic", "--disable-dev-shm-usage",
    ],
  });
  return {
    async open(path = "", { width = 1440, height = 900, language = "en-US", theme = "light" } = {}) {
      const page = await chromium.newPage();
      page.faults = [];
      page.foreign = [];
      page.on("pageerror", (error) => page.faults.push(String(error)));
      page.on("console", (message) => message.type() === "error" && page.faults.push(message.text()));
      page.on("request", (request) => {
        const target = request.url();
        if (!target.startsWith(url) && !/^(data|blob):/.test(target)) page.foreign.push(target);
      });
      await page.setViewport({ width, height });
      await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: theme }]);
      await page.evaluateOnNewDocument((language) => {
        Object.defineProperty(navigator, "language", { get: () => language });
        Object.defineProperty(navigator, "languages", { get: () => [language] });
      }, language);
      await page.goto(url + path, { waitUntil: "load" });
      return page;
    },
    async close() {
      await chromium.close();
      rmSync(profile, { recursive: true, force: true });
    },
  };
}
