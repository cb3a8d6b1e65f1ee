/**
 * The longest texts, in characters, that come from outside: far more than anybody needs, and little enough that no request
 * is a burden. Every text of a request names one of them.
 */
export const lengths = {
  /** Dates, phone numbers, postal codes, the values of a list. */
  code: 64,
  name: 100,
  line: 200,
  /** Ids and keys of somebody else's. */
  reference: 255,
  /** An address of 254 characters, with white space around it. */
  email: 320,
  /** Passwords, tokens. */
  secret: 1000,
  /** The wording of a question, a hint. */
  wording: 2000,
  /** Where somebody goes on who reads everything: a row's key, which may have references in it, written as JSON. */
  position: 2000,
  url: 2048,
  /** Descriptions, instructions, health texts. */
  paragraph: 10_000,
  /** Answers, comments, decisions. */
  page: 20_000,
  /** A file in base64: what a whole request may have. That a file is smaller is checked when it is decoded. */
  file: 20 * 1024 * 1024
} as const

/** The most elements that the lists of a request may have: every list names one of them. */
export const counts = {
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
  webhookEndpoints: 20
} as const
