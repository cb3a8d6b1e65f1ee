import { assert } from "@effect/vitest"
import { admin } from "../harness/call.ts"
import { sharedConsole } from "../harness/console/Browser.ts"
import { focused } from "../harness/console/keyboard.ts"
import { onPage, seen } from "../harness/console/onPage.ts"
import { signedIn } from "../harness/console/signedIn.ts"
import { makeClinic } from "../harness/fixtures.ts"
import { testsOn } from "../harness/testsOn.ts"

testsOn(sharedConsole, "the editor of forms", (it) => {
  it("makes a form of questions in an order, with the preview of what a patient sees", function* () {
    const clinic = yield* makeClinic
    const path = `/organizations/${clinic.organizationId}/forms`
    const window = yield* signedIn(clinic, "ADMIN", { path })
    yield* onPage(window, async (page) => {
      await page.getByRole("link", { name: "Add a form" }).click()
      const question = (number: number) => page.getByRole("group", { name: `Question ${number}`, exact: true })
      const preview = page.getByRole("region", { name: "Preview" })
      await page.getByRole("textbox", { name: "Title" }).fill("Intake")
      await question(1).getByRole("textbox", { name: "Question" }).fill("How much do you weigh?")
      await question(1).getByLabel("Hint").fill("In pounds")
      await preview.getByRole("textbox", { name: "How much do you weigh?" }).waitFor()

      await page.getByRole("button", { name: "Add a question" }).click()
      await focused(question(2).getByRole("textbox", { name: "Question" }))
      await question(2).getByRole("textbox", { name: "Question" }).fill("Which of these do you have?")
      await question(2)
        .getByRole("button", { name: /Type of the answer/ })
        .click()
      await page.getByRole("option", { name: "Any of some options" }).click()
      await page.getByRole("button", { name: "Add the form" }).click()
      await seen(page, "Required for MULTISELECT")
      await question(2).getByRole("textbox", { name: "Options" }).fill("Diabetes\n\nAsthma")
      await preview.getByRole("checkbox", { name: "Asthma" }).waitFor()
      await question(2).getByText("An answer is required").click()

      await question(2).getByRole("textbox", { name: "Question" }).press("Alt+ArrowUp")
      await focused(question(1).getByRole("textbox", { name: "Question" }))
      assert.strictEqual(
        await question(1).getByRole("textbox", { name: "Question" }).inputValue(),
        "Which of these do you have?"
      )
      await page.getByRole("button", { name: "Remove question 2" }).click()
      await page.getByRole("button", { name: "Put it back" }).click()
      assert.strictEqual(
        await question(2).getByRole("textbox", { name: "Question" }).inputValue(),
        "How much do you weigh?"
      )

      await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Your account" }).click()
      const leave = page.getByRole("dialog", { name: "Leave the form?" })
      await leave.getByRole("button", { name: "Cancel" }).click()
      await page.getByRole("button", { name: "Add the form" }).click()
      await page.getByRole("heading", { level: 1, name: "Intake" }).waitFor()
      await page.getByRole("checkbox", { name: "Diabetes" }).waitFor()
    })
    const { json: forms } = yield* admin("GET", path)
    const { json: form } = yield* admin("GET", `${path}/${forms.data[0].id}`)
    const kept = form.questions.map(({ hint, options, question, required, type }: Record<string, unknown>) => ({
      hint,
      options,
      question,
      required,
      type
    }))
    assert.deepStrictEqual(kept, [
      {
        hint: "",
        options: ["Diabetes", "Asthma"],
        question: "Which of these do you have?",
        required: false,
        type: "MULTISELECT"
      },
      { hint: "In pounds", options: [], question: "How much do you weigh?", required: true, type: "TEXT" }
    ])

    yield* onPage(window, async (page) => {
      await page.getByRole("link", { name: "Copy into a new form" }).click()
      await page.getByRole("button", { name: "Add the form" }).click()
      await page.getByRole("heading", { level: 1, name: "Intake (copy)" }).waitFor()
      await page.getByRole("button", { name: "Change the title" }).click()
      await page.getByRole("textbox", { name: "Title" }).fill("Follow-up")
      await page.getByRole("button", { name: "Save" }).click()
      await page.getByRole("heading", { level: 1, name: "Follow-up" }).waitFor()
      await page.getByRole("button", { name: "Archive Follow-up" }).click()
      await page.getByRole("dialog").getByRole("button", { name: "Archive" }).click()
      await page.getByRole("button", { name: "Restore Follow-up" }).waitFor()
    })
  })
})
