import { randomInt } from "node:crypto"
import { type BodyOf, Care } from "@care/client"

const { CARE_API_KEY = "", CARE_URL = "http://localhost:8080" } = process.env
if (!CARE_API_KEY.startsWith("cv_test_")) throw new Error("CARE_API_KEY has to be a test key (cv_test_...)")

/** The client of your sandbox. */
export const care = new Care({ apiKey: CARE_API_KEY, baseUrl: CARE_URL })

/** Whether the API runs on this machine, and can send events to it. */
export const isLocal = /^http:\/\/(localhost|127\.0\.0\.1):/.test(CARE_URL)

/** Returns a request for a case of a patient whom no other test has. */
export const newCase = async (): Promise<BodyOf<"intake.createCase">> => {
  const [product] = (await care.products.list().page()).data
  if (product === undefined) throw new Error("The sandbox has no product: add one in the console, in test mode")
  const number = randomInt(2_000_000, 9_999_999)
  return {
    user: {
      firstName: "Maria",
      lastName: "Lopez",
      email: `maria.${number}.${Date.now()}@example.com`,
      phoneNumber: `+1415${number}`,
      dob: "1988-04-12"
    },
    products: [{ id: product.id }]
  }
}

/** Asks again until the answer is the expected one. Jobs do their work slightly later. */
export const until = async <A>(ask: () => Promise<A>, isExpected: (answer: A) => boolean): Promise<A> => {
  for (let attempt = 0; attempt < 50; attempt += 1) {
    const answer = await ask()
    if (isExpected(answer)) return answer
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  throw new Error("What was expected did not happen within ten seconds")
}

/** Waits until a provider has the case. */
export const assigned = (caseId: string) =>
  until(
    () => care.cases.retrieve({ caseId }),
    ({ caseDetail }) => caseDetail.status === "ASSIGNED"
  )
