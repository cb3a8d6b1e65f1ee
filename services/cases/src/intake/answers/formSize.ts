import type { FormAnswer } from "@care/domain/cases"

// As much as a body without files.
const largestForm = 1024 * 1024

/** The most bytes that the forms of one case may have as they are stored: whoever reads the case reads them together. */
export const largestFormsOfCase = 8 * 1024 * 1024

/** True for questions with answers whose JSON is too much for one form. Contents of files are not among them. */
export const isTooLargeForm = (questions: ReadonlyArray<FormAnswer>): boolean =>
  JSON.stringify(questions).length > largestForm

/** The reason of a form that is too large. */
export const formTooLarge = "must have at most 1 MiB together, without the contents of files"
