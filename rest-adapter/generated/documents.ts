// Generated from rest-adapter/documents and schema.graphql. Do not edit.
import type * as types from './operation-types.ts';

/** The text of a document with one operation; the types say what it gives and what it takes. */
export type DocumentText<Result, Variables> = string & { readonly __types?: (variables: Variables) => Result };

/** The document of each operation, by the name of its root field. */
export const documents = {
  createMember: 'mutation createMember($input:CreateMemberInput!){createMember(input:$input){requestId idempotent member{id externalCustomerId displayName status consentStatus}}}' as DocumentText<types.createMemberMutation, types.createMemberMutationVariables>,
  enrollMember: 'mutation enrollMember($input:EnrollMemberInput!){enrollMember(input:$input){requestId idempotent created member{id externalCustomerId tier}program{programId tier status qualificationPoints balances{accountType available pending reserved}}}}' as DocumentText<types.enrollMemberMutation, types.enrollMemberMutationVariables>,
  unenrollMember: 'mutation unenrollMember($input:UnenrollMemberInput!){unenrollMember(input:$input){requestId idempotent program{programId status}}}' as DocumentText<types.unenrollMemberMutation, types.unenrollMemberMutationVariables>,
  member: 'query member($externalCustomerId:String!){member(externalCustomerId:$externalCustomerId){requestId member{id externalCustomerId status consentStatus identityStatus consent{status noticeVersion at}}programs{programId tier status qualificationPoints balances{accountType available pending reserved}}}}' as DocumentText<types.memberQuery, types.memberQueryVariables>,
  purchaseEarn: 'mutation purchaseEarn($input:PurchaseEarnInput!){purchaseEarn(input:$input){id status requestId idempotent member{id externalCustomerId tier}award{points basePoints campaignPoints}campaigns{campaignId points}referral{code referrerPoints refereePoints}coupon{code valid redeemed}evaluationMode evaluationAt configurationVersion loyaltyUnitPrecision ruleDecisions{kind id matched reason points}}}' as DocumentText<types.purchaseEarnMutation, types.purchaseEarnMutationVariables>,
};
