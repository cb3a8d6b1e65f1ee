import { Care, CareError, verifyWebhook, WebhookRefused } from "@care/client"

/** What a tour needs: a key, where the API is, a server that redirects, two new patients, and a webhook request with its secret. */
export interface TourInput {
  readonly apiKey: string
  readonly baseUrl: string
  readonly movedUrl: string
  readonly patients: ReadonlyArray<{ readonly email: string; readonly phoneNumber: string }>
  readonly delivery: { readonly body: string; readonly headers: Record<string, string>; readonly secret: string }
}

const errorOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => undefined,
    (error: unknown) => error
  )

/** Does what a partner does first, with nothing but what every run-time has. Returns what it saw. */
export const tour = async ({ apiKey, baseUrl, delivery, movedUrl, patients }: TourInput) => {
  // A timer that is left would keep the process longer than the test waits.
  const care = new Care({ apiKey, baseUrl, timeoutMs: 600_000 })
  const names: Array<string> = []
  const products: Array<{ readonly id: string }> = []
  for await (const { id, name } of care.products.list()) {
    names.push(name)
    products.push({ id })
  }
  const caseIds: Array<string> = []
  for (const patient of patients) {
    const user = { firstName: "Zoë", lastName: "Lopez", dob: "1988-04-12", ...patient }
    const { data } = await care.cases.create({ user, products })
    caseIds.push(data.caseId)
  }
  const [caseId = ""] = caseIds
  const file = { name: "results.txt", data: btoa("The results."), contentType: "text/plain" }
  const form = await care.forms.submit({
    caseId,
    formTitle: "Laboratory",
    questions: [{ questionId: "results", question: "Results?", type: "FILE", answer: [file] }]
  })
  const { caseDetail } = await care.cases.retrieve({ caseId, includeAttachments: true, documentFormat: "base64" })
  const listed: Array<string> = []
  for await (const { id } of care.cases.list({ limit: 1 })) listed.push(id)
  const refused = await errorOf(care.cases.changeStatus("00000000-0000-4000-8000-000000000000", { status: "CLOSE" }))
  const moved = await errorOf(new Care({ apiKey, baseUrl: movedUrl }).bundles.list())
  const reason = new Error("The visitor left")
  const aborted = await errorOf(care.bundles.list({}, { signal: AbortSignal.abort(reason) }))
  const { body, headers, secret } = delivery
  const event = await verifyWebhook(body, new Headers(headers), secret)
  const forged = await errorOf(verifyWebhook(`${body} `, headers, secret))
  return {
    names,
    hasForm: form.data.caseId === caseId,
    name: caseDetail.submitter.firstName,
    files: caseDetail.attachments?.map(({ content = "", fileName }) => [fileName, atob(content)]),
    areListed: caseIds.every((id) => listed.includes(id)) && listed.length === caseIds.length,
    refused: refused instanceof CareError && [refused.status, refused.code],
    moved: moved instanceof CareError && moved.code,
    isAborted: aborted === reason,
    event: event.type,
    forged: forged instanceof WebhookRefused && forged.code
  }
}
