import { answerFormats } from "./answerFormats.ts"

const rows = Object.entries(answerFormats).map(([type, { id, title }]) => {
  const [byTitle, byId] = [title, id].map(({ example, text }) => `${text}: \`${JSON.stringify(example)}\``)
  return `| \`${type}\` | ${byTitle} | ${byTitle === byId ? "the same" : byId} |`
})

/** The description of dynamic cases in the public document. */
export const dynamicCaseDescription = `
Creates a case, OPEN, with the answers to a form. Other cases of the patient do not stand in its way. The patient is found or made,
named and refused by a phone number as by \`POST /api/v1/cases\`: a number is one patient's alone, because patients sign in by it: another's is refused, also when
two of them share it.

- **By title**, with \`formTitle\`: a form of that title is made when there is none. Each question needs \`question\`, \`type\` and
  \`required\`, and \`options\` for a select; what it says is stored with its answer, whatever the form of that title asks.
- **By id**, with \`formId\`: a form that is stored. Each question needs \`questionId\`, of a question of the form, and its \`answer\`;
  everything else is the form's. A question of the form may be left out unless the form requires it.

One of both is required; if both are there, \`formTitle\` counts. What does not count is not looked at: by title \`formId\` and each
\`questionId\`, by id whatever a question has beside \`questionId\`, which may not be there twice, and \`answer\`.

**Weight**: the text of at least one question has to contain \`weigh\`, and neither \`goal\` nor \`initiative\`, in any letter case. By id
it is one that is in the request, or that the form requires.

**Answers.** A question that is \`required\` needs one; a blank text, null and an empty list are none. A text is at most 20,000
characters long. What does not fit its question is a 400 that names the question and the reason.

| type | by title | by id |
| --- | --- | --- |
${rows.join("\n")}

A file has at most 10 MiB, a request at most 20 files. One named by a URL is fetched after the case was created.

**What pays**: \`gatewayPaymentId\` (\`pi_...\`) or \`gatewaySetupId\` (\`seti_...\`, confirmed), checked at the payment gateway before
anything is stored. An intent that another case began with is a 409. With both, the payment intent pays, and the method of the setup intent is saved.
`.trim()

/** The description of forms for existing cases in the public document. */
export const caseFormDescription = `
Adds the answers to a form to a case that exists. The organization's key may be in the body as \`key\`; the header wins.

Each question brings its \`questionId\`, \`question\`, \`type\` and \`answer\`; no \`questionId\` may be there twice. At least one has to be
answered, and each that is \`required\`, unless it is a \`STATEMENT\`. None has to be about weight.

An answer is what \`POST /api/v1/dynamic-case\` takes by title. Only the answers to \`FILE\` and \`WIDGET_USER_ID_DOCUMENT\` are
checked; any other \`type\` may be named, too, and any JSON is stored as it is, at most 20,000 characters long.
`.trim()
