const mebibyte = 1024 * 1024

const weight = { question: "How much do you weigh?", type: "TEXT", required: true, answer: "1" }

const dynamicCase = (questions: ReadonlyArray<object>): string =>
  JSON.stringify({
    firstName: "Maria",
    lastName: "Lopez",
    email: "maria@example.com",
    formTitle: "Intake",
    questions: [weight, ...questions]
  })

const answered = (type: string, answer: unknown, options?: ReadonlyArray<string>) => ({
  question: "What?",
  type,
  required: true,
  answer,
  options
})

// A body with this JSON as an answer, also JSON that no value is written as.
const withAnswer = (json: string): string => dynamicCase([answered("TEXT", "ANSWER")]).replace('"ANSWER"', () => json)

const often = (type: string, answer: string, options?: ReadonlyArray<string>): string =>
  dynamicCase(Array(499).fill(answered(type, answer, options)))

const withFile = (changes: object): string =>
  dynamicCase([answered("FILE", [{ name: "a.txt", data: "QUFB", ...changes }])])

const withBytes = (...parts: ReadonlyArray<Buffer>): string =>
  withFile({ data: Buffer.concat(parts).toString("base64") })

const numbers = Array.from({ length: 100_000 }, (_, index) => String(index))

const pngChunk = Buffer.from("\0\0\0\0tEXt\0\0\0\0", "latin1")
const pngHead = Buffer.from(`\x89PNG\r\n\x1a\n\0\0\0\rIHDR${"\0".repeat(17)}`, "latin1")
const zipHead = Buffer.from(`PK\x03\x04\x14\0\x08${"\0".repeat(19)}\x01\0\0\0a`, "latin1")

const createdCase = (questions: ReadonlyArray<object>): string =>
  JSON.stringify({
    user: {
      firstName: "Maria",
      lastName: "Lopez",
      email: "maria@example.com",
      phoneNumber: "+14155550123",
      dob: "1990-01-01"
    },
    products: [{ id: "6f9619ff-8b86-4d01-b42d-00cf4fc964ff", form: { title: "Intake", questions } }]
  })

const choices = (questions: number, answer: string, options: ReadonlyArray<string>): string =>
  createdCase(Array(questions).fill(answered("MULTISELECT", answer, ["a", ...options])))

/** Bodies of cases, up to 1 MiB, whose choices can be read in very many ways. */
export const heavyChoices: Readonly<Record<string, () => string>> = {
  "long options": () =>
    choices(
      2,
      `${"a,".repeat(9999)}b`,
      numbers.slice(0, 199).map((text) => `${"a,".repeat(990)}b${text}`)
    ),
  "options of every length": () =>
    choices(
      20,
      `${"a,".repeat(9999)}b`,
      numbers.slice(0, 140).map((text, index) => `${"a,".repeat(index)}b${text}`)
    ),
  "many questions": () =>
    choices(
      480,
      `${"a,".repeat(250)}b`,
      numbers.slice(0, 199).map((text) => `a,${text}`)
    ),
  "white space": () =>
    choices(
      25,
      `a${" ".repeat(19_990)}b`,
      numbers.slice(0, 199).map((_, index) => `a${" ".repeat(index)}`)
    )
}

/** Bodies of dynamic cases, up to 20 MiB, each heavy for one step of their processing, by what makes them heavy. */
export const heavyBodies: Readonly<Record<string, () => string>> = {
  "7 million arrays": () => withAnswer(`[${"[],".repeat(6_900_000)}[]]`),
  "20 million brackets": () => withAnswer("[".repeat(20 * mebibyte - 500)),
  "as many values as are read": () => withAnswer(`[${'{"a":7},'.repeat(39_000)}7]`),
  "as many keys as are read": () => withAnswer(`{${numbers.map((key) => `"${key}":1`).join()}}`),
  "unknown fields": () => `{${numbers.map((key) => `"${key}":1`).join()}}`,
  "one long key": () => withAnswer(`{"${"k".repeat(20_000_000)}":1}`),
  "one long number": () => withAnswer("9".repeat(20_000_000)),
  "one long text": () => withAnswer(`"${"é".repeat(10_000_000)}"`),
  "escaped characters": () => withAnswer(`"${"\\u0041".repeat(3_400_000)}"`),
  "white space": () => `${" ".repeat(20_000_000)}{}`,
  "options and choices": () => dynamicCase([answered("MULTISELECT", JSON.stringify(numbers.slice(0, 3000)), numbers)]),
  "499 multiple choices": () => often("MULTISELECT", JSON.stringify(Array(4900).fill("a")), ["b", "a"]),
  "499 answers of arrays": () => often("MULTISELECT", `[${"[],".repeat(6500)}[]]`, ["b", "a"]),
  "499 date ranges of white space": () => often("DATERANGE", `1/1/2024 ${" ".repeat(19_900)}x`),
  "499 long texts": () => often("TEXT", "x".repeat(20_000)),
  "a height of digits": () =>
    dynamicCase([answered("WIDGET_BMI", { height: "9".repeat(18_000_000), weight: 1, bmi: 1 })]),
  "5,000 files": () => dynamicCase(Array(499).fill(answered("FILE", Array(10).fill({ name: "a", data: "QUFB" })))),
  "a file of text": () => withBytes(Buffer.alloc(10 * mebibyte, "é")),
  "a file of white space": () => withBytes(Buffer.alloc(10 * mebibyte, " ")),
  "a picture of small chunks": () => withBytes(pngHead, Buffer.alloc(9 * mebibyte, pngChunk)),
  "an archive without an end": () => withBytes(zipHead, Buffer.alloc(10 * mebibyte - 100, "P")),
  "what is no base64 at its end": () => withFile({ data: `${"A".repeat(19_000_000)}!AAA` }),
  "base64 in short lines": () => withFile({ data: "A \n".repeat(6_000_000) }),
  "a data URL that does not begin": () => withFile({ data: `data:${"a".repeat(19_000_000)}` }),
  "a long URL": () => withFile({ data: `https://a.example/${"a/../".repeat(3_000_000)}` }),
  "a long file name": () => withFile({ name: "\u202e".repeat(6_000_000) }),
  "a long content type": () => withFile({ contentType: "A".repeat(19_000_000) })
}
