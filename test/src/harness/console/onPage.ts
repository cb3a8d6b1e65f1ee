import { Effect } from "effect"
import type { Page } from "playwright-core"

/** Does what a person does on a page. A step that cannot be done fails the test. */
export const onPage = <A>({ page }: { readonly page: Page }, steps: (page: Page) => Promise<A>) =>
  Effect.promise(() => steps(page))

/** Waits until a text is on the page. */
export const seen = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor()
