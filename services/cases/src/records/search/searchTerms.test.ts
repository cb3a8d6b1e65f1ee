import { assert, it } from "@effect/vitest"
import { searchTerms } from "./searchTerms.ts"

const id = "3B241101-E2BB-4255-8CAF-4136C566A962"

it("a text is looked for as everything that it may be, in the form that is stored", () => {
  const nothing = { id: undefined, shortId: undefined, email: undefined, phoneNumbers: [], names: [] }
  const only = (text: string, terms: object) =>
    assert.deepStrictEqual(searchTerms(text), { ...nothing, pharmacyOrderId: text, ...terms }, text)
  only(id, { id: id.toLowerCase(), names: [id.toLowerCase()] })
  only("7zk2m9qa", { shortId: "7ZK2M9QA", names: ["7zk2m9qa"] })
  only("#6HZ0VBVX", { shortId: "6HZ0VBVX", names: ["#6hz0vbvx"] })
  only("Maria.Lopez@Example.com", { email: "maria.lopez@example.com", names: ["maria.lopez@example.com"] })
  only("+14155552671", { phoneNumbers: ["+14155552671"] })
  only("14155552671", { phoneNumbers: ["+14155552671"] })
  only("(415) 555-2671", { phoneNumbers: ["+14155552671"] })
  only("491711234567", { phoneNumbers: ["+491711234567"] })
  only("Lopez,  Maria", { names: ["lopez maria"] })
  only("山田", { names: ["山田"] })
  only("ÉLODIE", { names: ["elodie"] })
  only("zoë brontë-Ärger", { names: ["zoe bronte-arger"] })
  only("ørsted", { names: ["ørsted", "Ørsted"] })
  only("иван", { names: ["иван", "Иван"] })
  only("12-34", {})
})
