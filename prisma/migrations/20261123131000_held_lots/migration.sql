-- No statement finds lots by what is held of them. Without this index, a change of what is held alone, as when a redemption is
-- committed, enters nothing into any index.

drop index lots_reserved;
