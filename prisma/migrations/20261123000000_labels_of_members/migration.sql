-- Tags and lists are changed by commands, as everything else of a member.
grant update (tags, lists) on members to rewards_app;
