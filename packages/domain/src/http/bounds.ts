/** The maximum lengths of texts of requests, in characters. Every text of a request has one of these bounds. */
export const lengths = {
  /** Dates, phone numbers, postal codes, the values of a list. */
  code: 64,
  name: 100,
  line: 200,
  reference: 255,
  /** An address of 254 characters, with white space around it. */
  email: 320,
  secret: 1000,
  /** The wording of a question, a hint. */
  wording: 2000,
  /** A cursor with the key of a row as JSON, which may contain references. */
  position: 2000,
  /** A cursor with a position in each of 100 cells. */
  positions: 10_000,
  url: 2048,
  /** Descriptions, instructions, health texts. */
  paragraph: 10_000,
  /** Answers, comments, decisions. */
  page: 20_000,
  /** A file in base64: the size of a whole request. The size of the file is checked when it is decoded. */
  file: 20 * 1024 * 1024
} as const

/** The maximum numbers of elements of lists of requests. Every list of a request has one of these bounds. */
export const counts = {
  cases: 100,
  domains: 10,
  products: 100,
  bundles: 100,
  questions: 500,
  options: 200,
  languages: 50,
  states: 100,
  medicines: 100,
  files: 20,
  notices: 100,
  prescriptionItems: 100,
  paymentMethodTypes: 20,
  eventTypes: 50,
  transports: 10,
  webhookEndpoints: 20
} as const
