interface Option {
  readonly value: string
  readonly text: string
}

/** Adds to options what is chosen and is not among them any more, so that it is seen and can be taken away. */
export const withChosen = (
  options: ReadonlyArray<Option>,
  chosen: ReadonlyArray<string>,
  text: string
): ReadonlyArray<Option> => {
  const gone = chosen.filter((value) => value !== "" && options.every((option) => option.value !== value))
  return [...options, ...gone.map((value) => ({ value, text }))]
}
