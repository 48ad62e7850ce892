; Made by `make runtime` of double_products.c (77d91d43f426aede) for x86_64-linux-gnu, by clang version 19.1.7.

target datalayout = "e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

%struct.Product_d = type { i32, i32, i64, i64, i64, double, ptr, i64, ptr, i64, double, ptr, i64, i64 }

@ag_library_bits = external constant i32, align 4
@ag_library_threads = external constant i32, align 4
@ag_threads = external global i32, align 4

define void @ag_dgemm(i32 noundef %order, i32 noundef %a_transposed, i32 noundef %b_transposed, i64 noundef %rows, i64 noundef %columns, i64 noundef %inner, double noundef %alpha, ptr noundef %a, i64 noundef %a_stride, ptr noundef %b, i64 noundef %b_stride, double noundef %beta, ptr noundef %c, i64 noundef %c_stride) {
entry:
  %product = alloca %struct.Product_d, align 8
  %cmp = icmp eq i32 %a_transposed, 111
  %cmp1 = icmp eq i32 %b_transposed, 111
  %cmp3 = icmp eq i64 %columns, 1
  br i1 %cmp3, label %if.then, label %if.end

if.then:                                          ; preds = %entry
  %cond = select i1 %cmp, i64 %rows, i64 %inner
  %cond8 = select i1 %cmp, i64 %inner, i64 %rows
  %cond13 = select i1 %cmp1, i64 %b_stride, i64 1
  %0 = load i32, ptr @ag_library_bits, align 4
  %cmp.i = icmp eq i32 %0, 64
  br i1 %cmp.i, label %if.then.i, label %if.else.i

if.then.i:                                        ; preds = %if.then
  tail call void @library_dgemv(i32 noundef 101, i32 noundef %a_transposed, i64 noundef %cond, i64 noundef %cond8, double noundef %alpha, ptr noundef %a, i64 noundef %a_stride, ptr noundef %b, i64 noundef %cond13, double noundef %beta, ptr noundef %c, i64 noundef %c_stride)
  br label %cleanup88

if.else.i:                                        ; preds = %if.then
  %conv.i = trunc i64 %cond to i32
  %conv1.i = trunc i64 %cond8 to i32
  %conv2.i = trunc i64 %a_stride to i32
  %conv3.i = trunc i64 %cond13 to i32
  %conv4.i = trunc i64 %c_stride to i32
  tail call void @narrow_dgemv(i32 noundef 101, i32 noundef %a_transposed, i32 noundef %conv.i, i32 noundef %conv1.i, double noundef %alpha, ptr noundef %a, i32 noundef %conv2.i, ptr noundef %b, i32 noundef %conv3.i, double noundef %beta, ptr noundef %c, i32 noundef %conv4.i)
  br label %cleanup88

if.end:                                           ; preds = %entry
  %cmp14 = icmp eq i64 %rows, 1
  br i1 %cmp14, label %if.then15, label %if.end33

if.then15:                                        ; preds = %if.end
  %cond17 = select i1 %cmp1, i32 112, i32 111
  %cond22 = select i1 %cmp1, i64 %inner, i64 %columns
  %cond27 = select i1 %cmp1, i64 %columns, i64 %inner
  %cond32 = select i1 %cmp, i64 1, i64 %a_stride
  %1 = load i32, ptr @ag_library_bits, align 4
  %cmp.i149 = icmp eq i32 %1, 64
  br i1 %cmp.i149, label %if.then.i155, label %if.else.i150

if.then.i155:                                     ; preds = %if.then15
  tail call void @library_dgemv(i32 noundef 101, i32 noundef %cond17, i64 noundef %cond22, i64 noundef %cond27, double noundef %alpha, ptr noundef %b, i64 noundef %b_stride, ptr noundef %a, i64 noundef %cond32, double noundef %beta, ptr noundef %c, i64 noundef 1)
  br label %cleanup88

if.else.i150:                                     ; preds = %if.then15
  %conv.i151 = trunc i64 %cond22 to i32
  %conv1.i152 = trunc i64 %cond27 to i32
  %conv2.i153 = trunc i64 %b_stride to i32
  %conv3.i154 = trunc i64 %cond32 to i32
  tail call void @narrow_dgemv(i32 noundef 101, i32 noundef %cond17, i32 noundef %conv.i151, i32 noundef %conv1.i152, double noundef %alpha, ptr noundef %b, i32 noundef %conv2.i153, ptr noundef %a, i32 noundef %conv3.i154, double noundef %beta, ptr noundef %c, i32 noundef 1)
  br label %cleanup88

if.end33:                                         ; preds = %if.end
  %cmp34 = icmp eq ptr %a, %b
  %2 = xor i1 %cmp, %cmp1
  %or.cond147 = and i1 %2, %cmp34
  %cmp41 = icmp eq i64 %rows, %columns
  %or.cond148 = and i1 %cmp41, %or.cond147
  %cmp43 = icmp eq i64 %a_stride, %b_stride
  %spec.select = and i1 %cmp43, %or.cond148
  %cmp49 = fcmp oeq double %alpha, 1.000000e+00
  %or.cond = and i1 %cmp49, %spec.select
  %cmp52 = fcmp oeq double %beta, 0.000000e+00
  %or.cond90 = and i1 %cmp52, %or.cond
  br i1 %or.cond90, label %if.then54, label %if.end55

if.then54:                                        ; preds = %if.end33
  %3 = load i32, ptr @ag_library_bits, align 4
  %cmp.i157 = icmp eq i32 %3, 64
  br i1 %cmp.i157, label %if.then.i163, label %if.else.i158

if.then.i163:                                     ; preds = %if.then54
  tail call void @library_dsyrk(i32 noundef 101, i32 noundef 121, i32 noundef %a_transposed, i64 noundef %columns, i64 noundef %inner, double noundef 1.000000e+00, ptr noundef %a, i64 noundef %a_stride, double noundef 0.000000e+00, ptr noundef %c, i64 noundef %c_stride)
  br label %if.end.i

if.else.i158:                                     ; preds = %if.then54
  %conv.i159 = trunc i64 %columns to i32
  %conv1.i160 = trunc i64 %inner to i32
  %conv2.i161 = trunc i64 %a_stride to i32
  %conv3.i162 = trunc i64 %c_stride to i32
  tail call void @narrow_dsyrk(i32 noundef 101, i32 noundef 121, i32 noundef %a_transposed, i32 noundef %conv.i159, i32 noundef %conv1.i160, double noundef 1.000000e+00, ptr noundef %a, i32 noundef %conv2.i161, double noundef 0.000000e+00, ptr noundef %c, i32 noundef %conv3.i162)
  br label %if.end.i

if.end.i:                                         ; preds = %if.else.i158, %if.then.i163
  %cmp457.i = icmp sgt i64 %columns, 0
  br i1 %cmp457.i, label %for.body10.lr.ph.i, label %cleanup88

for.body10.lr.ph.i:                               ; preds = %if.end.i, %for.cond.cleanup9.i
  %first.058.i = phi i64 [ %add12.i, %for.cond.cleanup9.i ], [ 0, %if.end.i ]
  %add12.i = add nuw nsw i64 %first.058.i, 32
  %cond.i52.i = tail call noundef i64 @llvm.smin.i64(i64 %add12.i, i64 %columns)
  br label %for.body10.i

for.cond6.loopexit.i:                             ; preds = %for.body17.i, %for.body10.i
  %exitcond.not.i = icmp eq i64 %add.i, %columns
  br i1 %exitcond.not.i, label %for.cond.cleanup9.i, label %for.body10.i

for.cond.cleanup9.i:                              ; preds = %for.cond6.loopexit.i
  %cmp4.i = icmp slt i64 %add12.i, %columns
  br i1 %cmp4.i, label %for.body10.lr.ph.i, label %cleanup88

for.body10.i:                                     ; preds = %for.cond6.loopexit.i, %for.body10.lr.ph.i
  %i.056.i = phi i64 [ 0, %for.body10.lr.ph.i ], [ %add.i, %for.cond6.loopexit.i ]
  %add.i = add nuw nsw i64 %i.056.i, 1
  %cond.i.i = tail call noundef i64 @llvm.smax.i64(i64 %first.058.i, i64 %add.i)
  %invariant.gep.i = getelementptr double, ptr %c, i64 %i.056.i
  %cmp1453.i = icmp slt i64 %cond.i.i, %cond.i52.i
  br i1 %cmp1453.i, label %for.body17.lr.ph.i, label %for.cond6.loopexit.i

for.body17.lr.ph.i:                               ; preds = %for.body10.i
  %mul.i = mul nsw i64 %i.056.i, %c_stride
  %4 = getelementptr double, ptr %c, i64 %mul.i
  br label %for.body17.i

for.body17.i:                                     ; preds = %for.body17.i, %for.body17.lr.ph.i
  %j.054.i = phi i64 [ %cond.i.i, %for.body17.lr.ph.i ], [ %inc.i, %for.body17.i ]
  %arrayidx.i = getelementptr double, ptr %4, i64 %j.054.i
  %5 = load double, ptr %arrayidx.i, align 8
  %mul19.i = mul nsw i64 %j.054.i, %c_stride
  %gep.i = getelementptr double, ptr %invariant.gep.i, i64 %mul19.i
  store double %5, ptr %gep.i, align 8
  %inc.i = add nuw nsw i64 %j.054.i, 1
  %cmp14.i = icmp slt i64 %inc.i, %cond.i52.i
  br i1 %cmp14.i, label %for.body17.i, label %for.cond6.loopexit.i

if.end55:                                         ; preds = %if.end33
  call void @llvm.lifetime.start.p0(i64 104, ptr nonnull %product)
  store i32 %a_transposed, ptr %product, align 8
  %b_transposed57 = getelementptr inbounds i8, ptr %product, i64 4
  store i32 %b_transposed, ptr %b_transposed57, align 4
  %rows58 = getelementptr inbounds i8, ptr %product, i64 8
  store i64 %rows, ptr %rows58, align 8
  %columns59 = getelementptr inbounds i8, ptr %product, i64 16
  store i64 %columns, ptr %columns59, align 8
  %inner60 = getelementptr inbounds i8, ptr %product, i64 24
  store i64 %inner, ptr %inner60, align 8
  %alpha61 = getelementptr inbounds i8, ptr %product, i64 32
  store double %alpha, ptr %alpha61, align 8
  %a62 = getelementptr inbounds i8, ptr %product, i64 40
  store ptr %a, ptr %a62, align 8
  %a_stride63 = getelementptr inbounds i8, ptr %product, i64 48
  store i64 %a_stride, ptr %a_stride63, align 8
  %b64 = getelementptr inbounds i8, ptr %product, i64 56
  store ptr %b, ptr %b64, align 8
  %b_stride65 = getelementptr inbounds i8, ptr %product, i64 64
  store i64 %b_stride, ptr %b_stride65, align 8
  %beta66 = getelementptr inbounds i8, ptr %product, i64 72
  store double %beta, ptr %beta66, align 8
  %c67 = getelementptr inbounds i8, ptr %product, i64 80
  store ptr %c, ptr %c67, align 8
  %c_stride68 = getelementptr inbounds i8, ptr %product, i64 88
  store i64 %c_stride, ptr %c_stride68, align 8
  %parts = getelementptr inbounds i8, ptr %product, i64 96
  store i64 0, ptr %parts, align 8
  %cond.i = tail call noundef i64 @llvm.smax.i64(i64 %columns, i64 1)
  %cond.i164 = tail call noundef i64 @llvm.smax.i64(i64 %inner, i64 1)
  %mul = mul nuw nsw i64 %cond.i164, %cond.i
  %cond.i165 = tail call noundef i64 @llvm.smax.i64(i64 %rows, i64 1)
  %mul72 = mul nuw nsw i64 %cond.i164, %cond.i165
  %mul74 = mul nuw nsw i64 %mul, %cond.i165
  %cmp75 = icmp ult i64 %mul74, 200001
  %6 = load i32, ptr @ag_library_threads, align 4
  %tobool.not.i = icmp eq i32 %6, 0
  %or.cond186 = select i1 %cmp75, i1 true, i1 %tobool.not.i
  br i1 %or.cond186, label %if.end83, label %threads_of_library.exit

threads_of_library.exit:                          ; preds = %if.end55
  %call.i = tail call i32 @library_threads()
  %tobool.not = icmp eq i32 %call.i, 0
  br i1 %tobool.not, label %if.end83, label %if.then82

if.then82:                                        ; preds = %threads_of_library.exit
  %cmp.i169 = icmp slt i64 %rows, 96
  %cmp2.i = icmp sgt i64 %columns, %rows
  %7 = and i1 %cmp.i169, %cmp2.i
  tail call void @ag_enter_products()
  %mul.i170 = shl nsw i64 %rows, 2
  %cmp5.i = icmp slt i64 %mul.i170, %columns
  %brmerge.i = or i1 %cmp5.i, %7
  br i1 %brmerge.i, label %if.then.i173, label %if.else.i171

if.then.i173:                                     ; preds = %if.then82
  %div.i.i183 = udiv i64 1000000, %mul72
  %add.i.i = add nuw nsw i64 %div.i.i183, 1
  %8 = load i32, ptr @ag_threads, align 4
  %conv.i.i = sext i32 %8 to i64
  %add.i.i.i = add i64 %columns, -1
  %sub.i.i.i = add i64 %add.i.i.i, %conv.i.i
  %div.i.i.i = sdiv i64 %sub.i.i.i, %conv.i.i
  %cond.i.i.i = tail call noundef i64 @llvm.smax.i64(i64 %div.i.i.i, i64 %add.i.i)
  %sub.i4.i.i = add nuw i64 %cond.i.i.i, 15
  %div.i5.i.i = sdiv i64 %sub.i4.i.i, 16
  %mul.i.i = shl nsw i64 %div.i5.i.i, 4
  %call9.i = call i32 @ag_parallel(ptr noundef nonnull @columns_d, ptr noundef nonnull %product, i64 noundef %columns, i64 noundef %mul.i.i)
  br label %share_d.exit

if.else.i171:                                     ; preds = %if.then82
  %div.i25.i184 = udiv i64 1000000, %mul
  %9 = trunc nuw nsw i64 %div.i25.i184 to i32
  %div1.lhs.trunc.i.i = add nuw nsw i32 %9, 36
  %div114.i.i185 = udiv i32 %div1.lhs.trunc.i.i, 24
  %div1.sext.i.i = zext nneg i32 %div114.i.i185 to i64
  %add.i.i26.i = add nsw i64 %rows, 12
  %div.i.i27.i = sdiv i64 %add.i.i26.i, 24
  %div2.i.i = sdiv i64 %div.i.i27.i, %div1.sext.i.i
  %add3.i.i = add nsw i64 %rows, 3071
  %div4.i.i = sdiv i64 %add3.i.i, 3072
  %10 = load i32, ptr @ag_threads, align 4
  %conv.i28.i = sext i32 %10 to i64
  %add.i11.i.i = add nsw i64 %div4.i.i, -1
  %sub.i.i29.i = add nsw i64 %add.i11.i.i, %conv.i28.i
  %sub.i.fr.i.i = freeze i64 %sub.i.i29.i
  %11 = srem i64 %sub.i.fr.i.i, %conv.i28.i
  %mul.i30.i = sub nsw i64 %sub.i.fr.i.i, %11
  %cond.i.i31.i = tail call noundef i64 @llvm.smin.i64(i64 %mul.i30.i, i64 %div2.i.i)
  %cond.i13.i.i = tail call noundef i64 @llvm.smax.i64(i64 %cond.i.i31.i, i64 %div4.i.i)
  store i64 %cond.i13.i.i, ptr %parts, align 8
  %call13.i = call i32 @ag_parallel(ptr noundef nonnull @rows_d, ptr noundef nonnull %product, i64 noundef %cond.i13.i.i, i64 noundef 1)
  br label %share_d.exit

share_d.exit:                                     ; preds = %if.then.i173, %if.else.i171
  call void @ag_leave_products()
  br label %cleanup

if.end83:                                         ; preds = %threads_of_library.exit, %if.end55
  %12 = load i32, ptr @ag_library_bits, align 4
  %cmp.i174 = icmp eq i32 %12, 64
  br i1 %cmp.i174, label %if.then.i179, label %if.else.i176

if.then.i179:                                     ; preds = %if.end83
  tail call void @library_dgemm(i32 noundef 101, i32 noundef %a_transposed, i32 noundef %b_transposed, i64 noundef %rows, i64 noundef %columns, i64 noundef %inner, double noundef %alpha, ptr noundef %a, i64 noundef %a_stride, ptr noundef %b, i64 noundef %b_stride, double noundef %beta, ptr noundef %c, i64 noundef %c_stride)
  br label %cleanup

if.else.i176:                                     ; preds = %if.end83
  %conv.i177 = trunc i64 %rows to i32
  %conv5.i = trunc i64 %columns to i32
  %conv7.i = trunc i64 %inner to i32
  %conv11.i = trunc i64 %a_stride to i32
  %conv14.i = trunc i64 %b_stride to i32
  %conv18.i = trunc i64 %c_stride to i32
  tail call void @narrow_dgemm(i32 noundef 101, i32 noundef %a_transposed, i32 noundef %b_transposed, i32 noundef %conv.i177, i32 noundef %conv5.i, i32 noundef %conv7.i, double noundef %alpha, ptr noundef %a, i32 noundef %conv11.i, ptr noundef %b, i32 noundef %conv14.i, double noundef %beta, ptr noundef %c, i32 noundef %conv18.i)
  br label %cleanup

cleanup:                                          ; preds = %if.else.i176, %if.then.i179, %share_d.exit
  call void @llvm.lifetime.end.p0(i64 104, ptr nonnull %product)
  br label %cleanup88

cleanup88:                                        ; preds = %for.cond.cleanup9.i, %if.end.i, %if.else.i150, %if.then.i155, %if.else.i, %if.then.i, %cleanup
  ret void
}

declare void @llvm.lifetime.start.p0(i64 immarg, ptr)

declare void @llvm.lifetime.end.p0(i64 immarg, ptr)

declare void @library_dgemv(i32 noundef, i32 noundef, i64 noundef, i64 noundef, double noundef, ptr noundef, i64 noundef, ptr noundef, i64 noundef, double noundef, ptr noundef, i64 noundef)

declare void @narrow_dgemv(i32 noundef, i32 noundef, i32 noundef, i32 noundef, double noundef, ptr noundef, i32 noundef, ptr noundef, i32 noundef, double noundef, ptr noundef, i32 noundef)

declare void @library_dsyrk(i32 noundef, i32 noundef, i32 noundef, i64 noundef, i64 noundef, double noundef, ptr noundef, i64 noundef, double noundef, ptr noundef, i64 noundef)

declare void @narrow_dsyrk(i32 noundef, i32 noundef, i32 noundef, i32 noundef, i32 noundef, double noundef, ptr noundef, i32 noundef, double noundef, ptr noundef, i32 noundef)

declare i32 @library_threads()

declare void @ag_enter_products()

declare i32 @ag_parallel(ptr noundef, ptr noundef, i64 noundef, i64 noundef)

define internal noundef i32 @columns_d(ptr noundef readonly %product, i64 noundef %begin, i64 noundef %end) {
entry:
  %part.sroa.0.0.copyload = load i32, ptr %product, align 8
  %part.sroa.4.0.product.sroa_idx = getelementptr inbounds i8, ptr %product, i64 4
  %part.sroa.4.0.copyload = load i32, ptr %part.sroa.4.0.product.sroa_idx, align 4
  %part.sroa.6.0.product.sroa_idx = getelementptr inbounds i8, ptr %product, i64 8
  %part.sroa.6.0.copyload = load i64, ptr %part.sroa.6.0.product.sroa_idx, align 8
  %part.sroa.10.0.product.sroa_idx = getelementptr inbounds i8, ptr %product, i64 24
  %part.sroa.10.0.copyload = load i64, ptr %part.sroa.10.0.product.sroa_idx, align 8
  %part.sroa.12.0.product.sroa_idx = getelementptr inbounds i8, ptr %product, i64 32
  %part.sroa.12.0.copyload = load double, ptr %part.sroa.12.0.product.sroa_idx, align 8
  %part.sroa.14.0.product.sroa_idx = getelementptr inbounds i8, ptr %product, i64 40
  %part.sroa.14.0.copyload = load ptr, ptr %part.sroa.14.0.product.sroa_idx, align 8
  %part.sroa.16.0.product.sroa_idx = getelementptr inbounds i8, ptr %product, i64 48
  %part.sroa.16.0.copyload = load i64, ptr %part.sroa.16.0.product.sroa_idx, align 8
  %part.sroa.18.0.product.sroa_idx = getelementptr inbounds i8, ptr %product, i64 56
  %part.sroa.18.0.copyload = load ptr, ptr %part.sroa.18.0.product.sroa_idx, align 8
  %part.sroa.22.0.product.sroa_idx = getelementptr inbounds i8, ptr %product, i64 64
  %part.sroa.22.0.copyload = load i64, ptr %part.sroa.22.0.product.sroa_idx, align 8
  %part.sroa.25.0.product.sroa_idx = getelementptr inbounds i8, ptr %product, i64 72
  %part.sroa.25.0.copyload = load double, ptr %part.sroa.25.0.product.sroa_idx, align 8
  %part.sroa.27.0.product.sroa_idx = getelementptr inbounds i8, ptr %product, i64 80
  %part.sroa.27.0.copyload = load ptr, ptr %part.sroa.27.0.product.sroa_idx, align 8
  %part.sroa.31.0.product.sroa_idx = getelementptr inbounds i8, ptr %product, i64 88
  %part.sroa.31.0.copyload = load i64, ptr %part.sroa.31.0.product.sroa_idx, align 8
  %cmp = icmp eq i32 %part.sroa.4.0.copyload, 111
  %cond = select i1 %cmp, i64 1, i64 %part.sroa.22.0.copyload
  %mul = mul nsw i64 %cond, %begin
  %add.ptr = getelementptr inbounds double, ptr %part.sroa.18.0.copyload, i64 %mul
  %add.ptr1 = getelementptr inbounds double, ptr %part.sroa.27.0.copyload, i64 %begin
  %sub = sub nsw i64 %end, %begin
  %0 = load i32, ptr @ag_library_bits, align 4
  %cmp.i = icmp eq i32 %0, 64
  br i1 %cmp.i, label %if.then.i, label %if.else.i

if.then.i:                                        ; preds = %entry
  tail call void @library_dgemm(i32 noundef 101, i32 noundef %part.sroa.0.0.copyload, i32 noundef %part.sroa.4.0.copyload, i64 noundef %part.sroa.6.0.copyload, i64 noundef %sub, i64 noundef %part.sroa.10.0.copyload, double noundef %part.sroa.12.0.copyload, ptr noundef %part.sroa.14.0.copyload, i64 noundef %part.sroa.16.0.copyload, ptr noundef %add.ptr, i64 noundef %part.sroa.22.0.copyload, double noundef %part.sroa.25.0.copyload, ptr noundef %add.ptr1, i64 noundef %part.sroa.31.0.copyload)
  br label %multiply_d.exit

if.else.i:                                        ; preds = %entry
  %conv.i = trunc i64 %part.sroa.6.0.copyload to i32
  %conv5.i = trunc i64 %sub to i32
  %conv7.i = trunc i64 %part.sroa.10.0.copyload to i32
  %conv11.i = trunc i64 %part.sroa.16.0.copyload to i32
  %conv14.i = trunc i64 %part.sroa.22.0.copyload to i32
  %conv18.i = trunc i64 %part.sroa.31.0.copyload to i32
  tail call void @narrow_dgemm(i32 noundef 101, i32 noundef %part.sroa.0.0.copyload, i32 noundef %part.sroa.4.0.copyload, i32 noundef %conv.i, i32 noundef %conv5.i, i32 noundef %conv7.i, double noundef %part.sroa.12.0.copyload, ptr noundef %part.sroa.14.0.copyload, i32 noundef %conv11.i, ptr noundef %add.ptr, i32 noundef %conv14.i, double noundef %part.sroa.25.0.copyload, ptr noundef %add.ptr1, i32 noundef %conv18.i)
  br label %multiply_d.exit

multiply_d.exit:                                  ; preds = %if.then.i, %if.else.i
  ret i32 0
}

define internal noundef i32 @rows_d(ptr noundef readonly %product, i64 noundef %first, i64 noundef %last) {
entry:
  %part.sroa.0.0.copyload = load i32, ptr %product, align 8
  %part.sroa.5.0.product.sroa_idx = getelementptr inbounds i8, ptr %product, i64 4
  %part.sroa.5.0.copyload = load i32, ptr %part.sroa.5.0.product.sroa_idx, align 4
  %part.sroa.6.0.product.sroa_idx = getelementptr inbounds i8, ptr %product, i64 8
  %part.sroa.6.0.copyload = load i64, ptr %part.sroa.6.0.product.sroa_idx, align 8
  %part.sroa.10.0.product.sroa_idx = getelementptr inbounds i8, ptr %product, i64 16
  %part.sroa.10.0.copyload = load i64, ptr %part.sroa.10.0.product.sroa_idx, align 8
  %part.sroa.12.0.product.sroa_idx = getelementptr inbounds i8, ptr %product, i64 24
  %part.sroa.12.0.copyload = load i64, ptr %part.sroa.12.0.product.sroa_idx, align 8
  %part.sroa.14.0.product.sroa_idx = getelementptr inbounds i8, ptr %product, i64 32
  %part.sroa.14.0.copyload = load double, ptr %part.sroa.14.0.product.sroa_idx, align 8
  %part.sroa.16.0.product.sroa_idx = getelementptr inbounds i8, ptr %product, i64 40
  %part.sroa.16.0.copyload = load ptr, ptr %part.sroa.16.0.product.sroa_idx, align 8
  %part.sroa.20.0.product.sroa_idx = getelementptr inbounds i8, ptr %product, i64 48
  %part.sroa.20.0.copyload = load i64, ptr %part.sroa.20.0.product.sroa_idx, align 8
  %part.sroa.23.0.product.sroa_idx = getelementptr inbounds i8, ptr %product, i64 56
  %part.sroa.23.0.copyload = load ptr, ptr %part.sroa.23.0.product.sroa_idx, align 8
  %part.sroa.25.0.product.sroa_idx = getelementptr inbounds i8, ptr %product, i64 64
  %part.sroa.25.0.copyload = load i64, ptr %part.sroa.25.0.product.sroa_idx, align 8
  %part.sroa.27.0.product.sroa_idx = getelementptr inbounds i8, ptr %product, i64 72
  %part.sroa.27.0.copyload = load double, ptr %part.sroa.27.0.product.sroa_idx, align 8
  %part.sroa.29.0.product.sroa_idx = getelementptr inbounds i8, ptr %product, i64 80
  %part.sroa.29.0.copyload = load ptr, ptr %part.sroa.29.0.product.sroa_idx, align 8
  %part.sroa.33.0.product.sroa_idx = getelementptr inbounds i8, ptr %product, i64 88
  %part.sroa.33.0.copyload = load i64, ptr %part.sroa.33.0.product.sroa_idx, align 8
  %part.sroa.36.0.product.sroa_idx = getelementptr inbounds i8, ptr %product, i64 96
  %part.sroa.36.0.copyload = load i64, ptr %part.sroa.36.0.product.sroa_idx, align 8
  %cmp.i = icmp eq i64 %part.sroa.36.0.copyload, %first
  br i1 %cmp.i, label %first_row.exit, label %cond.false.i

cond.false.i:                                     ; preds = %entry
  %add.i.i = add nsw i64 %part.sroa.6.0.copyload, 12
  %div.i.i = sdiv i64 %add.i.i, 24
  %mul.i = mul nsw i64 %div.i.i, %first
  %div.i = sdiv i64 %mul.i, %part.sroa.36.0.copyload
  %mul1.i = mul nsw i64 %div.i, 24
  br label %first_row.exit

first_row.exit:                                   ; preds = %entry, %cond.false.i
  %cond.i = phi i64 [ %mul1.i, %cond.false.i ], [ %part.sroa.6.0.copyload, %entry ]
  %cmp.i9 = icmp eq i64 %part.sroa.36.0.copyload, %last
  br i1 %cmp.i9, label %first_row.exit17, label %cond.false.i10

cond.false.i10:                                   ; preds = %first_row.exit
  %add.i.i11 = add nsw i64 %part.sroa.6.0.copyload, 12
  %div.i.i12 = sdiv i64 %add.i.i11, 24
  %mul.i13 = mul nsw i64 %div.i.i12, %last
  %div.i14 = sdiv i64 %mul.i13, %part.sroa.36.0.copyload
  %mul1.i15 = mul nsw i64 %div.i14, 24
  br label %first_row.exit17

first_row.exit17:                                 ; preds = %first_row.exit, %cond.false.i10
  %cond.i16 = phi i64 [ %mul1.i15, %cond.false.i10 ], [ %part.sroa.6.0.copyload, %first_row.exit ]
  %cmp = icmp eq i32 %part.sroa.0.0.copyload, 111
  %cond = select i1 %cmp, i64 %part.sroa.20.0.copyload, i64 1
  %mul = mul nsw i64 %cond.i, %cond
  %add.ptr = getelementptr inbounds double, ptr %part.sroa.16.0.copyload, i64 %mul
  %mul4 = mul nsw i64 %cond.i, %part.sroa.33.0.copyload
  %add.ptr5 = getelementptr inbounds double, ptr %part.sroa.29.0.copyload, i64 %mul4
  %sub = sub nsw i64 %cond.i16, %cond.i
  %0 = load i32, ptr @ag_library_bits, align 4
  %cmp.i18 = icmp eq i32 %0, 64
  br i1 %cmp.i18, label %if.then.i, label %if.else.i

if.then.i:                                        ; preds = %first_row.exit17
  tail call void @library_dgemm(i32 noundef 101, i32 noundef %part.sroa.0.0.copyload, i32 noundef %part.sroa.5.0.copyload, i64 noundef %sub, i64 noundef %part.sroa.10.0.copyload, i64 noundef %part.sroa.12.0.copyload, double noundef %part.sroa.14.0.copyload, ptr noundef %add.ptr, i64 noundef %part.sroa.20.0.copyload, ptr noundef %part.sroa.23.0.copyload, i64 noundef %part.sroa.25.0.copyload, double noundef %part.sroa.27.0.copyload, ptr noundef %add.ptr5, i64 noundef %part.sroa.33.0.copyload)
  br label %multiply_d.exit

if.else.i:                                        ; preds = %first_row.exit17
  %conv.i = trunc i64 %sub to i32
  %conv5.i = trunc i64 %part.sroa.10.0.copyload to i32
  %conv7.i = trunc i64 %part.sroa.12.0.copyload to i32
  %conv11.i = trunc i64 %part.sroa.20.0.copyload to i32
  %conv14.i = trunc i64 %part.sroa.25.0.copyload to i32
  %conv18.i = trunc i64 %part.sroa.33.0.copyload to i32
  tail call void @narrow_dgemm(i32 noundef 101, i32 noundef %part.sroa.0.0.copyload, i32 noundef %part.sroa.5.0.copyload, i32 noundef %conv.i, i32 noundef %conv5.i, i32 noundef %conv7.i, double noundef %part.sroa.14.0.copyload, ptr noundef %add.ptr, i32 noundef %conv11.i, ptr noundef %part.sroa.23.0.copyload, i32 noundef %conv14.i, double noundef %part.sroa.27.0.copyload, ptr noundef %add.ptr5, i32 noundef %conv18.i)
  br label %multiply_d.exit

multiply_d.exit:                                  ; preds = %if.then.i, %if.else.i
  ret i32 0
}

declare void @ag_leave_products()

declare void @library_dgemm(i32 noundef, i32 noundef, i32 noundef, i64 noundef, i64 noundef, i64 noundef, double noundef, ptr noundef, i64 noundef, ptr noundef, i64 noundef, double noundef, ptr noundef, i64 noundef)

declare void @narrow_dgemm(i32 noundef, i32 noundef, i32 noundef, i32 noundef, i32 noundef, i32 noundef, double noundef, ptr noundef, i32 noundef, ptr noundef, i32 noundef, double noundef, ptr noundef, i32 noundef)

declare i64 @llvm.smax.i64(i64, i64)

declare i64 @llvm.smin.i64(i64, i64)
