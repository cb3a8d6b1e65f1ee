import { answerFormats } from "./answerFormats.ts"

const rows = Object.entries(answerFormats).map(([type, { id, title }]) => {
  const [byTitle, byId] = [title, id].map(({ example, text }) => `${text}: \`${JSON.stringify(example)}\``)
  return `| \`${type}\` | ${byTitle} | ${byTitle === byId ? "the same" : byId} |`
})

/** The description of dynamic cases in the public document. */
export const dynamicCaseDescription = `
Creates an OPEN case with the answers to a form, whether or not the patient has other cases. The patient is looked up or created as by
\`POST /api/v1/cases\`. A phone number belongs to one patient, because patients sign in with it: the number of another user of the
organization is refused, even if two patients share a telephone.

- **By title**, with \`formTitle\`: a form with this title is created if there is none. Each question needs \`question\`, \`type\` and
  \`required\`, and \`options\` for a select. They are stored with the answer, even if they differ from the form with this title.
- **By id**, with \`formId\`: an existing form. Each question needs \`questionId\`, the id of a question of the form, and \`answer\`;
  everything else is taken from the form. Questions that the form does not require may be omitted.

One of the two is required; \`formTitle\` takes precedence. Fields of the other way are ignored: by title, \`formId\` and each
\`questionId\`; by id, every field of a question except \`questionId\` and \`answer\`. By id, a \`questionId\` must not occur twice.

**Weight**: at least one question has to ask for the weight. Its text contains \`weigh\` and neither \`goal\` nor \`initiative\`, in any
letter case. By id the question has to be in the request or required by the form.

**Answers**: a \`required\` question needs an answer; a blank string, null and an empty list do not count. A string has at most 20,000
characters. An answer that is not valid for its question is refused with a 400 that names the question and the reason.

| type | by title | by id |
| --- | --- | --- |
${rows.join("\n")}

A file has at most 10 MiB, and a request at most 20 files. Files that are given by URL are downloaded after the case was created.

**Means of payment**: \`gatewayPaymentId\` (\`pi_...\`) or \`gatewaySetupId\` (\`seti_...\`, confirmed). The payment gateway checks it before
anything is stored. A payment intent that another case uses is refused with 409. If both are sent, the payment intent pays for the
case, and the payment method of the setup intent is saved.
`.trim()

/** The description of forms for existing cases in the public document. */
export const caseFormDescription = `
Adds the answers to a form to an existing case. The organization's API key may be in the body as \`key\`; the header takes precedence.

Each question needs \`questionId\`, \`question\`, \`type\` and \`answer\`; a \`questionId\` must not occur twice. At least one question has to
be answered, and every \`required\` one except \`STATEMENT\`. No question about the weight is needed.

Answers have the format of \`POST /api/v1/dynamic-case\` by title, but only those of \`FILE\` and \`WIDGET_USER_ID_DOCUMENT\` are checked.
Other types are accepted too, and their answers are stored unchanged: any JSON of at most 20,000 characters.
`.trim()
