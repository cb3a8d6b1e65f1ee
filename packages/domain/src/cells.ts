/** The name of the first cell, to which everything that names no cell belongs. */
export const firstCell = "c1"

/** The longest name of a cell. */
export const maxCellName = 8

/** The form of a cell's name, for messages. */
export const cellNameForm = "two to eight lower-case letters and digits, such as c2"

const cellName = /^[a-z0-9]{2,8}$/

export const isCellName = (text: string): boolean => cellName.test(text)
