export { Delivery } from "./Delivery.ts"
export { EmailChangeNotices } from "./EmailChangeNotices.ts"
export { MessagesFeature } from "./MessagesFeature.ts"
export { NoticesFeature } from "./notices/NoticesFeature.ts"
