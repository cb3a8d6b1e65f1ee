import type { UserSummary } from "@care/domain/auth"
import type { Comment } from "@care/domain/cases"
import type { DocumentId, UserId } from "@care/domain/ids"
import { attachmentsOf, type ShownContents } from "../documents/index.ts"
import type { CommentRow } from "./CommentsRepo.ts"

/** Returns the authors of comments, and who uploaded their files. */
export const peopleOfComments = (comments: ReadonlyArray<CommentRow>): ReadonlyArray<UserId> =>
  comments.flatMap(({ authorId, files }) => [authorId, ...files.map(({ uploadedBy }) => uploadedBy)])

/** Returns a comment as responses show it, with its author and its files. */
export const commentOf = (
  { authorId, createdAt, files, id, isRestricted, text }: CommentRow,
  person: (id: UserId) => UserSummary,
  contents: ReadonlyMap<DocumentId, ShownContents>
): Comment => ({
  id,
  text,
  author: person(authorId),
  createdAt,
  isRestricted,
  attachments: attachmentsOf(files, person, contents)
})
