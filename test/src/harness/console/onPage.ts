import { Effect } from "effect"
import type { Page } from "playwright-core"

/** Does what a person does on a page. A step that cannot be done fails the test. */
export const onPage = <A>({ page }: { readonly page: Page }, steps: (page: Page) => Promise<A>) =>
  Effect.promise(() => steps(page))

/** Holds the looks by which the page of a case learns that somebody else changed it. */
export const holdLooks = (page: Page) => page.route(/\/viewers$/, () => new Promise<void>(() => {}))

/** Changes a draft, and waits until the tab keeps it, which encrypts it first. */
export const changeDraft = async (page: Page, change: () => Promise<unknown>): Promise<void> => {
  const kept = () => page.evaluate("JSON.stringify(sessionStorage)")
  const before = await kept()
  await change()
  while ((await kept()) === before) await page.locator("body").waitFor()
}

/** Waits until a text is on the page. */
export const seen = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor()
