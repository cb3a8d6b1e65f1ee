import type { Page } from "playwright-core"

/** Waits until a screen is shown. */
export const titled = (page: Page, name: string | RegExp) =>
  page.getByRole("heading", { level: 1, name, exact: true }).waitFor()

/** Presses a button by its name. */
export const press = (page: Page, name: string | RegExp) => page.getByRole("button", { name, exact: true }).click()

/** Returns the path of a page with its query. */
export const pathOf = (page: Page): string => {
  const { pathname, search } = new URL(page.url())
  return pathname + search
}

/** Signs in for the first time through the screens: a code from the mailbox of development, a passkey, and recovery codes. */
export const signInFirst = async (page: Page, email: string) => {
  await page.getByLabel("Email").fill(email)
  await press(page, "Send me a code")
  await titled(page, "Enter the code")
  await press(page, "Use this code")
  await press(page, "Continue")
  await titled(page, "Make a passkey")
  await page.getByLabel("Name of the passkey").fill("Laptop")
  await press(page, "Make a passkey")
  await titled(page, "Keep your recovery codes")
  await page.getByText("I have kept them").click()
  await press(page, "Continue")
}
