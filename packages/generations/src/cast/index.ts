export { changeMember } from "./change-member.ts";
export { createMember } from "./create-member.ts";
export { deleteMember } from "./delete-member.ts";
export {
  assertFewMembers,
  findDrawnMember,
  findMemberOfKey,
  findMembers,
  listMembers,
  memberNotFound,
  type Member,
} from "./member.ts";
