export { Comments } from "./Comments.ts"
export { CommentRow, filesOfComment, StoredComment } from "./CommentsRepo.ts"
export { commentOf, peopleOfComments } from "./commentOf.ts"
