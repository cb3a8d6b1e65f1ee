export { Bodies } from "./Bodies.ts"
export { BodyMemoryFull, BodyTooLarge, BodyTooSlow } from "./bodyErrors.ts"
export { textMember } from "./textMember.ts"
