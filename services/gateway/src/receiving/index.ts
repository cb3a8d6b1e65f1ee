export { Bodies } from "./Bodies.ts"
export { BodyMemoryFull, BodyTooLarge, BodyTooSlow } from "./BodyWatch.ts"
export { textMember } from "./textMember.ts"
