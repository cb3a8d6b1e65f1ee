import { AxeBuilder } from "@axe-core/playwright"
import type { Page } from "playwright-core"

const narrow = { width: 375, height: 800 }
const wide = { width: 1280, height: 800 }

// The rules about colours, in which alone the themes differ.
const ofColours = ["color-contrast", "link-in-text-block"]

const violationsOf = async (page: Page, where: string, rules?: Array<string>) => {
  // The legacy mode opens no page to put frames together, of which the console has none. React Aria announces a button that works by its
  // id, which is still announced some seconds after the button has gone.
  const builder = new AxeBuilder({ page }).setLegacyMode().exclude("[data-live-announcer] [role=img]")
  const { violations } = await (rules === undefined ? builder : builder.withRules(rules)).analyze()
  return violations.flatMap(({ help, id, nodes }) =>
    nodes.map(({ failureSummary, html }) => `${where}: ${id}, ${help}: ${html.slice(0, 200)} ${failureSummary}`)
  )
}

/** Waits until a page has loaded what it shows. */
const settled = async (page: Page) => {
  await page.getByRole("heading", { level: 1 }).first().waitFor()
  await page.getByText("Loading", { exact: true }).first().waitFor({ state: "detached" })
}

/** Returns what failed on a page, what axe finds in both themes and at 375 px, and whether the narrow page is scrolled sideways. */
export const findingsOn = async (page: Page, name: string): Promise<ReadonlyArray<string>> => {
  await settled(page)
  const failures = await page.getByRole("alert").filter({ hasText: "Request id" }).allTextContents()
  const light = await violationsOf(page, name)
  await page.emulateMedia({ colorScheme: "dark" })
  const dark = await violationsOf(page, `${name}, dark`, ofColours)
  await page.setViewportSize(narrow)
  await settled(page)
  const narrowDark = await violationsOf(page, `${name}, dark, 375 px`)
  const width = await page.evaluate(() => Number(Reflect.get(globalThis, "document").documentElement.scrollWidth))
  await page.emulateMedia({ colorScheme: "light" })
  await page.setViewportSize(wide)
  const scrolled = width > narrow.width ? [`${name} is ${width} px wide`] : []
  return [...failures.map((text) => `${name} failed: ${text}`), ...light, ...dark, ...narrowDark, ...scrolled]
}
