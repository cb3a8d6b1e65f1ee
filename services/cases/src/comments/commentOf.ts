import type { UserSummary } from "@care/domain/auth"
import type { Comment } from "@care/domain/cases"
import type { DocumentId, UserId } from "@care/domain/ids"
import { attachmentsOf } from "../documents/attachmentsOf.ts"
import type { ShownContents } from "../documents/FileContents.ts"
import type { CommentRow } from "./CommentsRepo.ts"

/** Whom comments name: who wrote them, and who uploaded their files. */
export const peopleOfComments = (comments: ReadonlyArray<CommentRow>): ReadonlyArray<UserId> =>
  comments.flatMap(({ authorId, files }) => [authorId, ...files.map(({ uploadedBy }) => uploadedBy)])

/** A comment as it is shown: with its author and its files. */
export const commentOf = (
  { authorId, files, ...comment }: CommentRow,
  person: (id: UserId) => UserSummary,
  contents: ReadonlyMap<DocumentId, ShownContents>
): Comment => ({ ...comment, author: person(authorId), attachments: attachmentsOf(files, person, contents) })
