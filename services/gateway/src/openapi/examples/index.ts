import { fieldWords } from "./fieldWords.ts"
import { thingWords } from "./thingWords.ts"

export * from "./exampleThings.ts"

/** Values of examples, by the name of the field, or by the thing that has it and the name. */
export const exampleWords: Readonly<Record<string, string | number | ReadonlyArray<string>>> = {
  ...fieldWords,
  ...thingWords
}
